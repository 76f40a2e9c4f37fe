//! Chubby's own controls.

use crate::sim::lock::{ChubbySettings, Sequencer};
use crate::sim::scenario::ScenarioSpec;
use crate::sim::time::SimDuration;
use crate::view_model::controls::Control;
use crate::view_model::controls::field;
use crate::view_model::words::wording::duration;

fn sequencer(sequencer: Sequencer) -> &'static str {
    match sequencer {
        Sequencer::InstanceAndGeneration => "Instance and generation",
        Sequencer::Generation => "The generation alone",
    }
}

pub(super) fn controls(spec: &ScenarioSpec) -> Vec<Control> {
    let settings = &spec.systems.chubby;
    let to_sequencer = field!(spec, chubby.sequencer);
    let sequencers = [Sequencer::InstanceAndGeneration, Sequencer::Generation];
    let choice = Control::choice(
        "The storage compares of the sequencer",
        None,
        settings.sequencer,
        &sequencers,
        sequencer,
        to_sequencer,
    );
    let choice = match settings.sequencer {
        Sequencer::InstanceAndGeneration => {
            choice.hinted("The paper's sequencer has the generation; the instance is added here")
        }
        Sequencer::Generation => choice.hinted("It begins anew when the file is made anew"),
    };
    vec![
        choice,
        Control::length(
            "In jeopardy a client waits",
            None,
            settings.grace,
            SimDuration::ZERO,
            field!(spec, chubby.grace),
        )
        .hinted("The grace period: 45 s in Chubby. Meanwhile it does nothing"),
        Control::turn(
            "The lock's file goes when nobody has it open",
            None,
            settings.ephemeral,
            &field!(spec, chubby.ephemeral),
        ),
    ]
}

pub(super) fn setting(settings: &ChubbySettings) -> Vec<String> {
    let usual = ChubbySettings::default();
    let mut parts = Vec::new();
    if settings.sequencer != usual.sequencer {
        parts.push(format!("compares {}", sequencer(settings.sequencer).to_ascii_lowercase()));
    }
    if settings.grace != usual.grace {
        parts.push(format!("grace period {}", duration(settings.grace)));
    }
    if settings.ephemeral {
        parts.push("ephemeral file".to_owned());
    }
    parts
}
