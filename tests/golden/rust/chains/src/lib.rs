pub struct Engine {
    pump: Pump,
}

pub struct Pump {
    valve: Option<Box<Valve>>,
}

pub struct Valve;

impl Valve {
    fn open(&self) {}
}

impl Pump {
    fn valve(&self) -> &Valve {
        self.valve.as_ref().unwrap()
    }
}

impl Engine {
    fn start(&self) {
        self.pump.valve().open();
        let pump = &self.pump;
        pump.valve().open();
        if let Some(valve) = &pump.valve {
            valve.open();
        }
    }
}

fn both(engine: &Engine, pumps: Vec<Pump>) {
    engine.start();
    for pump in &pumps {
        pump.valve();
    }
}
