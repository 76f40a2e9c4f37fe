//! Named time zones: only the browser knows them. It is asked how far a zone is ahead of UTC when
//! its clocks show something; the rest of the program counts with that distance alone.

use js_sys::{Array, Date, Function, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

use crate::sim::scenario::timestamp::{Civil, Timestamp, offset};

/// How far a zone is ahead of UTC, in minutes; `None` if the browser knows no such zone.
pub(super) fn offset_of(zone: &str, civil: Civil) -> Option<i16> {
    let as_utc = Timestamp::from_civil(civil, 0)?.unix_micros() / 1_000;
    // Asked twice: the first answer is of an instant up to a day off.
    let first = offset_at(zone, as_utc)?;
    offset_at(zone, as_utc - i64::from(first) * 60_000)
}

fn offset_at(zone: &str, unix_millis: i64) -> Option<i16> {
    let intl = Reflect::get(&js_sys::global(), &"Intl".into()).ok()?;
    let format: Function = Reflect::get(&intl, &"DateTimeFormat".into()).ok()?.dyn_into().ok()?;
    let options = Object::new();
    for (key, value) in [("timeZone", zone), ("timeZoneName", "longOffset")] {
        Reflect::set(&options, &key.into(), &value.into()).ok()?;
    }
    let arguments = Array::of2(&"en-US".into(), &options);
    // Throws where it knows no such zone.
    let format = Reflect::construct(&format, &arguments).ok()?;
    #[expect(clippy::cast_precision_loss, reason = "exact for the next 285,000 years")]
    let date = Date::new(&JsValue::from_f64(unix_millis as f64));
    let method: Function = Reflect::get(&format, &"format".into()).ok()?.dyn_into().ok()?;
    let text = method.call1(&format, &date).ok()?.as_string()?;
    // `5/1/2024, GMT+02:00`; Greenwich itself is `GMT`.
    match text.rsplit_once("GMT")?.1 {
        "" => Some(0),
        distance => offset(&distance.replace('−', "-")),
    }
}
