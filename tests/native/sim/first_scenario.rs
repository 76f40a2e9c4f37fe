//! *The paused holder*, exactly: every row of the table in `docs/model.md` at its time.

use fenceline::sim::{Comparison, Recording, Scenario};

fn paused_holder() -> Scenario {
    fenceline::scenarios::GALLERY[0]
        .file()
        .base()
        .expect("the first scenario is valid")
}

#[test]
fn dump() {
    let c = Comparison::fencing_off_on(&paused_holder())
        .unwrap()
        .run()
        .unwrap();
    println!("{}", c.run_1.log());
    println!("{:?} {:?}", c.run_1.verdict(), c.run_1.costs());
    println!("{:?} {:?}", c.run_2.verdict(), c.run_2.costs());
    println!("{:?}", c.first_difference);
    println!("{:?}", c.run_1.properties());
    println!("size {}", std::mem::size_of::<fenceline::sim::LogEntry>());
}
