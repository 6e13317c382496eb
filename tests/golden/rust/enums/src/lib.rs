pub enum Event {
    Created(u32),
    Gone,
}

pub struct Log {
    events: Vec<Event>,
}

impl Event {
    fn apply(&self) -> bool {
        match self {
            Event::Created(id) => check(*id),
            Event::Gone => false,
        }
    }
}

fn check(id: u32) -> bool {
    id > 0
}

pub fn replay(log: &Log) {
    for event in &log.events {
        event.apply();
    }
    let last = Event::Gone;
    last.apply();
}
