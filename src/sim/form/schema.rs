//! The JSON Schema of what is declared: types by their names, each once. Not part of the page.

use super::Json;

/// The types that a schema has named so far.
#[derive(Default)]
pub struct Types(Vec<(String, Json)>);

impl Types {
    /// A reference to a type, whose schema is made if this is the first.
    pub fn named(
        &mut self,
        name: &str,
        means: &str,
        schema: impl FnOnce(&mut Self) -> Json,
    ) -> Json {
        if !self.0.iter().any(|(known, _)| known == name) {
            let place = self.0.len();
            // Known before its parts are, so that it may be part of itself.
            self.0.push((name.to_owned(), Json::Nothing));
            let schema = schema(self);
            self.0[place].1 = Self::described(means, schema);
        }
        Json::one("$ref", Json::Text(format!("#/$defs/{name}")))
    }

    /// A schema with a description in front.
    pub fn described(means: &str, schema: Json) -> Json {
        let mut fields = vec![("description".to_owned(), Json::Text(means.trim().to_owned()))];
        if let Json::Fields(more) = schema {
            fields.extend(more);
        }
        Json::Fields(fields)
    }

    /// A schema with the ends of a range.
    pub fn with_ends(schema: Json, names: [&str; 2], least: i64, most: i64) -> Json {
        let ends = names.into_iter().zip([least, most]);
        Self::and(schema, ends.map(|(name, end)| (name, Json::Number(end.to_string()))))
    }

    /// A schema with more keywords.
    fn and<'a>(schema: Json, more: impl IntoIterator<Item = (&'a str, Json)>) -> Json {
        let mut all = match schema {
            Json::Fields(fields) => fields,
            Json::Nothing | Json::Switch(_) | Json::Number(_) | Json::Text(_) | Json::List(_) => {
                Vec::new()
            }
        };
        all.extend(more.into_iter().map(|(keyword, value)| (keyword.to_owned(), value)));
        Json::Fields(all)
    }

    /// Either this or nothing.
    pub fn or_nothing(schema: Json) -> Json {
        let nothing = Json::one("type", Json::text("null"));
        Json::one("anyOf", Json::List(vec![schema, nothing]))
    }

    /// Fields: each with its schema, and whether it must be there.
    pub fn fields(fields: Vec<(String, Json, bool)>) -> Json {
        let required = fields.iter().filter(|(_, _, needed)| *needed);
        let required: Vec<Json> = required.map(|(key, _, _)| Json::text(key)).collect();
        let properties = fields.into_iter().map(|(key, schema, _)| (key, schema)).collect();
        let mut schema = vec![
            ("type".to_owned(), Json::text("object")),
            ("properties".to_owned(), Json::Fields(properties)),
            ("additionalProperties".to_owned(), Json::Switch(false)),
        ];
        if !required.is_empty() {
            schema.push(("required".to_owned(), Json::List(required)));
        }
        Json::Fields(schema)
    }

    /// A choice: each with its meaning, its name, and the schema of its value if it has one.
    pub fn one_of(all: Vec<(&str, &str, Option<Json>)>) -> Json {
        let one = |(means, name, value): (&str, &str, Option<Json>)| {
            let name = super::snake(name);
            let schema = match value {
                None => Json::one("const", Json::Text(name)),
                Some(value) => Self::fields(vec![(name, value, true)]),
            };
            Self::described(means, schema)
        };
        Json::one("oneOf", Json::List(all.into_iter().map(one).collect()))
    }

    /// A schema with the value that holds where nothing is given.
    pub fn with_default(schema: Json, default: Option<Json>) -> Json {
        Self::and(schema, default.map(|value| ("default", value)))
    }

    /// The schema of a whole file.
    pub fn file(self, title: &str, schema: Json) -> Json {
        let mut fields = vec![
            ("$schema".to_owned(), Json::text("https://json-schema.org/draft/2020-12/schema")),
            ("title".to_owned(), Json::text(title)),
        ];
        if let Json::Fields(more) = schema {
            fields.extend(more);
        }
        let mut types = self.0;
        types.sort_by(|(one, _), (other, _)| one.cmp(other));
        fields.push(("$defs".to_owned(), Json::Fields(types)));
        Json::Fields(fields)
    }
}
