//! Declarations: a type with fields, or a choice, and how it stands in a file. From one declaration
//! follow the type, its defaults, how it is read and written, the check of its ranges and its JSON
//! Schema.
//!
//! A field stands as `pub name: Type = default, in least, most;`. Without a default it must be
//! there; with `=> default` it is not written where it has that value, nor with `unless value` at
//! the end where it has that one; the range may be left out.
//! `["$key"]` after a name is what it is called in files, if that is not its name.

/// A type with fields. `: Default` after its name: all have defaults.
macro_rules! fields {
    (
        $(#[doc = $about:literal])*
        $(#[derive($($derive:ident),*)])?
        pub struct $Name:ident $(: $Default:ident)? {
            $(
                $(#[doc = $doc:literal])*
                pub $field:ident $([$key:literal])?: $T:ty
                    $(= $default:expr)? $(=> $unless:expr)? $(, in $least:expr, $most:expr)?
                    $(, unless $also:expr)?;
            )*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, PartialEq, Eq, Hash, Debug $($(, $derive)*)?)]
        pub struct $Name { $($(#[doc = $doc])* pub $field: $T,)* }

        const _: () = {
            use $crate::sim::form;

            form::of_field! { defaults $Name [$($Default)?] $([$field $($default)? $($unless)?])* }

            impl form::Form for $Name {
                const NOUN: &'static str = "set of fields";

                fn example() -> form::Json {
                    form::of_field!(examples $([
                        $field [$($key)?] [$T] [$($default)? $($unless)?]
                    ])*)
                }

                fn read(given: &form::Given<'_>) -> Result<Self, form::Refusal> {
                    let fields = form::of_field!(
                        known given Self::example, $([$field [$($key)?] [$T]])*
                    );
                    Ok(Self { $($field: form::of_field!(
                        read fields $field [$($key)?] [$T] [$($default)? $($unless)?]
                            [$($least, $most)?]
                    ),)* })
                }

                fn write(&self) -> form::Json {
                    form::Json::fields([$(form::of_field!(
                        write $field [$($key)?] [&self.$field] [$($unless)? $($also)?]
                    ),)*])
                }

                fn check(&self, at: &form::At<'_>) -> Result<(), form::OutOfRange> {
                    $(form::of_field!(
                        check [&self.$field] [&at.key(stringify!($field))] [$($least, $most)?]
                    );)*
                    Ok(())
                }

                #[cfg(not(target_family = "wasm"))]
                fn schema(types: &mut form::Types) -> form::Json {
                    types.named(stringify!($Name), concat!($($about),*), |types| {
                        form::Types::fields(vec![$(form::of_field!(
                            schema types $field [$($key)?] [$T] [$($default)? $($unless)?]
                                [$($least, $most)?] concat!($($doc),*)
                        ),)*])
                    })
                }
            }
        };
    };
}
pub(crate) use fields;

/// What follows from one field, or from all of a type.
macro_rules! of_field {
    (defaults $Name:ident [] $($rest:tt)*) => {};
    (defaults $Name:ident [$Default:ident] $([$field:ident $default:expr])*) => {
        impl $Default for $Name {
            fn default() -> Self { Self { $($field: $default,)* } }
        }
    };
    (key $field:ident []) => { stringify!($field) };
    (key $field:ident [$key:literal]) => { $key };
    (examples $([$field:ident [$($key:literal)?] [$T:ty] [$($default:expr)?]])*) => {{
        form::Json::fields([$(form::of_field!(example $field [$($key)?] [$T] [$($default)?]),)*])
    }};
    (example $field:ident [$($key:literal)?] [$T:ty] []) => {
        Some((form::of_field!(key $field [$($key)?]), <$T as form::Form>::example()))
    };
    (example $field:ident [$($key:literal)?] [$T:ty] [$default:expr]) => { None };
    (known $given:ident $example:expr, $([$field:ident [$($key:literal)?] [$T:ty]])*) => {
        $given.fields(&[$((
            form::of_field!(key $field [$($key)?]),
            <$T as form::Form>::example as fn() -> form::Json,
        )),*], $example)?
    };
    (read $fields:ident $field:ident [$($key:literal)?] [$T:ty] [$($default:expr)?]
        [$($least:expr, $most:expr)?]) => {
        $fields.field::<$T>(
            form::of_field!(key $field [$($key)?]),
            None::<$T>$(.or(Some($default)))?,
            |given| form::of_field!(value given [$T] [$($least, $most)?]),
        )?
    };
    (value $given:ident [$T:ty] []) => { <$T as form::Form>::read($given) };
    (value $given:ident [$T:ty] [$least:expr, $most:expr]) => {
        <$T as form::Ranged>::read_within($given, form::End::end($least), form::End::end($most))
    };
    (write $field:ident [$($key:literal)?] [$value:expr] [$($unless:expr)?]) => {{
        let is_written = true $(&& *$value != $unless)?;
        let key = form::of_field!(key $field [$($key)?]);
        is_written.then(|| (key, form::Form::write($value)))
    }};
    (check [$value:expr] [$at:expr] []) => { form::Form::check($value, $at)? };
    (check [$value:expr] [$at:expr] [$least:expr, $most:expr]) => {
        form::Ranged::check_within($value, $at, form::End::end($least), form::End::end($most))?
    };
    (schema $types:ident $field:ident [$($key:literal)?] [$T:ty] [$($default:expr)?]
        [$($range:tt)*] $doc:expr) => {{
        let default: Option<$T> = None$(.or(Some($default)))?;
        let default = default.as_ref().map(form::Form::write);
        let is_needed = default.is_none();
        let schema = form::of_field!(type $types [$T] [$($range)*]);
        let schema = form::Types::with_default(schema, default);
        let key = form::of_field!(key $field [$($key)?]).to_owned();
        (key, form::Types::described($doc, schema), is_needed)
    }};
    (type $types:ident [$T:ty] []) => { <$T as form::Form>::schema($types) };
    (type $types:ident [$T:ty] [$least:expr, $most:expr]) => {
        <$T as form::Ranged>::schema_within($types, form::End::end($least), form::End::end($most))
    };
}
pub(crate) use of_field;

/// A choice: each alone, with a value, or with fields. `= Name` after its own name: which one is
/// the default.
macro_rules! choices {
    (
        $(#[doc = $about:literal])*
        $(#[derive($($derive:ident),*)])?
        pub enum $Name:ident $(= $Default:ident)? {
            $(
                $(#[doc = $doc:literal])*
                $V:ident $([$key:literal])? $(($T:ty $(, in $least:expr, $most:expr)?))? $({ $(
                    $(#[doc = $field_doc:literal])*
                    $field:ident: $FT:ty $(= $default:expr)? $(=> $unless:expr)?
                        $(, in $from:expr, $to:expr)?;
                )* })?
            ),* $(,)?
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, PartialEq, Eq, Hash, Debug $($(, $derive)*)?)]
        pub enum $Name {
            $($(#[doc = $doc])*
            $V $(($T))? $({ $($(#[doc = $field_doc])* $field: $FT),* })?,)*
        }

        const _: () = {
            use $crate::sim::form;

            $(impl Default for $Name {
                fn default() -> Self { Self::$Default }
            })?

            impl $Name {
                /// Its name in files.
                #[allow(dead_code, reason = "some are not asked for their name")]
                pub(crate) fn name_in_files(&self) -> String {
                    form::snake(match self {
                        $(Self::$V { .. } => form::of_choice!(name $V [$($key)?]),)*
                    })
                }

                const KNOWN: &'static [form::Known] = &[$((
                    form::of_choice!(name $V [$($key)?]),
                    || form::of_choice!(example $V [$($key)?] $(($T))? $({ $(
                        [$field [] [$FT] [$($default)? $($unless)?]]
                    )* })?),
                )),*];
            }

            impl form::Form for $Name {
                const NOUN: &'static str = stringify!($Name);

                fn example() -> form::Json { (Self::KNOWN[0].1)() }

                fn read(given: &form::Given<'_>) -> Result<Self, form::Refusal> {
                    let (nth, inner) = given.choose(Self::NOUN, Self::KNOWN)?;
                    let mut after = 0;
                    $(
                        after += 1;
                        if nth + 1 == after {
                            return form::of_choice!(
                                read given inner [Self::KNOWN[nth]] Self $V
                                $(($T $(, $least, $most)?))? $({ $([
                                    $field [$FT] [$($default)? $($unless)?] [$($from, $to)?]
                                ])* })?
                            );
                        }
                    )*
                    unreachable!("one of the choices was found")
                }

                fn write(&self) -> form::Json {
                    match self {
                        $(Self::$V $((form::of_choice!(bind it $T)))?
                            $({ $($field),* })? => {
                            let name = form::of_choice!(name $V [$($key)?]);
                            form::of_choice!(write name $((it $T))? $({ $(
                                [$field [$($unless)?]]
                            )* })?)
                        })*
                    }
                }

                fn check(&self, at: &form::At<'_>) -> Result<(), form::OutOfRange> {
                    match self {
                        $(Self::$V $((form::of_choice!(bind it $T)))?
                            $({ $($field),* })? => {
                            let name = form::of_choice!(name $V [$($key)?]);
                            let _at = at.choice(name);
                            $(form::of_choice!(unused $T);
                            form::of_field!(check [it] [&_at] [$($least, $most)?]);)?
                            $($(form::of_field!(
                                check [$field] [&_at.key(stringify!($field))] [$($from, $to)?]
                            );)*)?
                        })*
                    }
                    Ok(())
                }

                #[cfg(not(target_family = "wasm"))]
                fn schema(types: &mut form::Types) -> form::Json {
                    types.named(stringify!($Name), concat!($($about),*), |types| {
                        let _: &form::Types = types;
                        form::Types::one_of(vec![$((
                            concat!($($doc),*),
                            form::of_choice!(name $V [$($key)?]),
                            form::of_choice!(schema types
                                $(($T $(, $least, $most)?))? $({ $([
                                    $field [$FT] [$($default)? $($unless)?] [$($from, $to)?]
                                    concat!($($field_doc),*)
                                ])* })?
                            ),
                        )),*])
                    })
                }
            }
        };
    };
}
pub(crate) use choices;

/// What follows from one of the choices.
macro_rules! of_choice {
    (name $V:ident []) => { stringify!($V) };
    (name $V:ident [$key:literal]) => { $key };
    (bind $it:ident $T:ty) => { $it };
    (unused $T:ty) => {};
    (example $V:ident [$($key:literal)?]) => {{
        let name = form::of_choice!(name $V [$($key)?]);
        form::Json::Text(form::snake(name))
    }};
    (example $V:ident [$($key:literal)?] ($T:ty)) => {{
        let name = form::of_choice!(name $V [$($key)?]);
        let value = <$T as form::Form>::example();
        form::Json::one(&form::snake(name), value)
    }};
    (example $V:ident [$($key:literal)?] { $($field:tt)* }) => {{
        let name = form::of_choice!(name $V [$($key)?]);
        let value = form::of_field!(examples $($field)*);
        form::Json::one(&form::snake(name), value)
    }};
    (read $given:ident $inner:ident [$known:expr] $This:ident $V:ident) => {
        $given.alone($inner, $known).map(|()| $This::$V)
    };
    (read $given:ident $inner:ident [$known:expr] $This:ident $V:ident
        ($T:ty $(, $least:expr, $most:expr)?)) => {{
        let given = &$given.inside($inner, $known)?;
        form::of_field!(value given [$T] [$($least, $most)?]).map($This::$V)
    }};
    (read $given:ident $inner:ident [$known:expr] $This:ident $V:ident { $([
        $field:ident [$T:ty] [$($default:expr)?] [$($range:tt)*]
    ])* }) => {{
        let given = &$given.inside($inner, $known)?;
        let fields = form::of_field!(
            known given || form::of_field!(examples $([
                $field [] [$T] [$($default)?]
            ])*), $([$field [] [$T]])*
        );
        Ok($This::$V { $($field: form::of_field!(
            read fields $field [] [$T] [$($default)?] [$($range)*]
        ),)* })
    }};
    (write $name:ident) => { form::Json::Text(form::snake($name)) };
    (write $name:ident ($it:ident $T:ty)) => {
        form::Json::one(&form::snake($name), form::Form::write($it))
    };
    (write $name:ident { $([$field:ident [$($unless:expr)?]])* }) => {{
        let fields = form::Json::fields([$(
            form::of_field!(write $field [] [$field] [$($unless)?]),
        )*]);
        form::Json::one(&form::snake($name), fields)
    }};
    (schema $types:ident) => { None };
    (schema $types:ident ($T:ty $(, $least:expr, $most:expr)?)) => {
        Some(form::of_field!(type $types [$T] [$($least, $most)?]))
    };
    (schema $types:ident { $([
        $field:ident [$T:ty] [$($default:expr)?] [$($range:tt)*] $doc:expr
    ])* }) => {
        Some(form::Types::fields(vec![$(form::of_field!(
            schema $types $field [] [$T] [$($default)?] [$($range)*] $doc
        ),)*]))
    };
}
pub(crate) use of_choice;
