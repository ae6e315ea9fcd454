//! The order of the members in a JSON value, which [`Value`] does not keep: a client shows the
//! fields of a form as they are written.

use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

/// For every object in a value, the order of its members.
#[derive(Debug, Clone, Default)]
pub(crate) enum Order {
    /// Nothing is known, or there is nothing to know.
    #[default]
    Any,
    Items(Vec<Order>),
    Members(Vec<(String, Order)>),
}

/// The members of an object, to be written in an order; those that it does not name come last.
pub(crate) struct Ordered<'a>(pub(crate) &'a Map<String, Value>, pub(crate) &'a Order);

impl Serialize for Ordered<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(members, order) = self;
        let order = match order {
            Order::Members(order) => order.as_slice(),
            Order::Any | Order::Items(_) => &[],
        };
        let mut map = serializer.serialize_map(Some(members.len()))?;
        let mut written: HashSet<&str> = HashSet::new();
        for (name, order) in order {
            if let Some(value) = members.get(name)
                && written.insert(name)
            {
                map.serialize_entry(name, &OrderedValue(value, order))?;
            }
        }
        for (name, value) in *members {
            if !written.contains(&**name) {
                map.serialize_entry(name, value)?;
            }
        }
        map.end()
    }
}

struct OrderedValue<'a>(&'a Value, &'a Order);

impl Serialize for OrderedValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self(Value::Object(members), order) => Ordered(members, order).serialize(serializer),
            Self(Value::Array(items), Order::Items(orders)) => {
                let orders = orders.iter().chain(std::iter::repeat(&Order::Any));
                serializer.collect_seq(items.iter().zip(orders).map(|(item, at)| Self(item, at)))
            }
            Self(value, _) => value.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Order {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;

        impl<'de> Visitor<'de> for Read {
            type Value = Order;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Order, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Order::Members(members))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Order, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Order::Items(items))
            }

            fn visit_unit<E>(self) -> Result<Order, E> {
                Ok(Order::Any)
            }

            fn visit_bool<E>(self, _: bool) -> Result<Order, E> {
                Ok(Order::Any)
            }

            fn visit_i64<E>(self, _: i64) -> Result<Order, E> {
                Ok(Order::Any)
            }

            fn visit_u64<E>(self, _: u64) -> Result<Order, E> {
                Ok(Order::Any)
            }

            fn visit_f64<E>(self, _: f64) -> Result<Order, E> {
                Ok(Order::Any)
            }

            fn visit_str<E>(self, _: &str) -> Result<Order, E> {
                Ok(Order::Any)
            }
        }

        deserializer.deserialize_any(Read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_written_as_they_were_read() {
        for text in [
            r#"{"z":{"b":1,"a":[{"y":"","x":null},2.5,true]},"a":-1}"#,
            r#"{}"#,
        ] {
            let members: Map<String, Value> = serde_json::from_str(text).unwrap();
            let order: Order = serde_json::from_str(text).unwrap();
            let written = serde_json::to_string(&Ordered(&members, &order)).unwrap();
            assert_eq!(written, text);
        }
    }

    #[test]
    fn what_changed_since_is_written_all_the_same() {
        let order: Order =
            serde_json::from_str(r#"{"z":[{}],"gone":1,"a":{"b":1},"z":1}"#).unwrap();
        let changed = r#"{"a":[1],"new":2,"z":[{"c":3},4]}"#;
        let members: Map<String, Value> = serde_json::from_str(changed).unwrap();
        let written = serde_json::to_string(&Ordered(&members, &order)).unwrap();
        assert_eq!(written, r#"{"z":[{"c":3},4],"a":[1],"new":2}"#);
    }
}
