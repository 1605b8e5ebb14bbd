//! Makes a replay of the messages of a file, and holds them to the order and the sizes the writer promises.

use serde::Deserialize;

use crate::replay::error::Fault;
use crate::replay::format::{
    Clock, Ending, FORMAT_VERSION, FormatVersion, Header, MAX_SCENE_BYTES, PROFILE, Perturbation, RecordedInput,
};
use crate::replay::hash_batch;
use crate::replay::keyframes::KeyframesTaken;
use crate::replay::reader::Replay;
use crate::replay::reader::file::Collector;
use crate::replay::reader::message::{MAX_DEFINITIONS, Message, at, definitions_are, json};
use crate::replay::step_hashes::HashesTaken;
use crate::replay::topic::Topic;

/// What is tried where much is read.
const KEEP: &str = "keep what is in it among the temporary files (TMPDIR)";

/// What has been read so far.
#[derive(Debug, Default)]
pub(crate) struct Content {
    /// The schemas and channels that precede the header, as opcode and body.
    definitions: Vec<(u8, Vec<u8>)>,
    header: Option<Header>,
    scene: Option<String>,
    inputs: Vec<RecordedInput>,
    perturbations: Vec<Perturbation>,
    steps: HashesTaken,
    keyframes: KeyframesTaken,
    /// What the operating system answered where something could not be kept.
    not_kept: Option<std::io::Error>,
    ending: Option<Ending>,
    clock: Clock,
}

impl Collector for Content {
    const PROFILE: &'static str = PROFILE;

    /// What they must be is known only once the header has told the format.
    fn definition(&mut self, opcode: u8, body: &[u8]) -> Result<(), String> {
        if self.header.is_some() || self.definitions.len() >= MAX_DEFINITIONS {
            return Err("a channel or schema that a replay does not have".to_owned());
        }
        self.definitions.push((opcode, body.to_vec()));
        Ok(())
    }

    fn message(&mut self, byte: u64, message: &Message<'_>) -> Result<(), Fault> {
        let Some(header) = self.header.take() else {
            self.header = Some(self.read_header(byte, message)?);
            self.clock.advance(message.time);
            return Ok(());
        };
        let scene_bytes = message.data.len() as u64;
        if message.channel == Topic::Scene.id() && scene_bytes > MAX_SCENE_BYTES {
            return Err(Fault::TooLarge { what: "the scene", bytes: scene_bytes, limit: MAX_SCENE_BYTES });
        }
        let result = self.body_message(&header, message);
        self.header = Some(header);
        match self.not_kept.take() {
            Some(cause) => Err(Fault::Io(KEEP, cause)),
            None => result.map_err(|what| Fault::corrupt(byte, what)),
        }
    }

    fn has_ended(&self) -> bool {
        self.ending.is_some()
    }
}

impl Content {
    /// The first message: it says first of all whether this build can read the rest.
    fn read_header(&self, byte: u64, message: &Message<'_>) -> Result<Header, Fault> {
        #[derive(Deserialize)]
        struct Probe {
            format: FormatVersion,
            #[serde(default)]
            producer: String,
        }
        if message.channel != Topic::Header.id() {
            return Err(Fault::corrupt(byte, "a replay whose first message is not its header"));
        }
        let probe: Probe = json(message.data).map_err(|what| Fault::corrupt(byte, what))?;
        if probe.format != FORMAT_VERSION {
            return Err(Fault::OtherFormat { found: probe.format, producer: probe.producer });
        }
        let header: Header = json(message.data).map_err(|what| Fault::corrupt(byte, what))?;
        header.check().map_err(|what| Fault::corrupt(byte, what))?;
        if !definitions_are(&Topic::ALL.map(Topic::definition), &self.definitions) {
            return Err(Fault::corrupt(byte, "other channels than a replay of this format has"));
        }
        if message.sequence != 0 || message.time != 0 {
            return Err(Fault::corrupt(byte, "a header that is not at time 0"));
        }
        Ok(header)
    }

    fn body_message(&mut self, header: &Header, message: &Message<'_>) -> Result<(), String> {
        let topic = Topic::from_id(message.channel).ok_or("a message of an unknown channel")?;
        if self.ending.is_some() {
            return Err(format!("a message of {} after the ending", topic.path()));
        }
        if (topic == Topic::Scene) != self.scene.is_none() {
            return Err(format!("a message of {} where another is due", topic.path()));
        }
        if topic != Topic::Keyframes
            && let Some(step) = self.keyframe_due(header)
        {
            return Err(format!("a message of {} where the keyframe of step {step} is due", topic.path()));
        }
        let last_step = if topic == Topic::Hashes { message.sequence } else { self.last_step().unwrap_or(0) };
        let expected_time = self.clock.stamp(header, last_step);
        if message.time != expected_time || !self.clock.advance(message.time) {
            return Err(format!("a message of {} at another time than it must have", topic.path()));
        }
        match topic {
            Topic::Header => Err("a second header".to_owned()),
            Topic::Scene => self.scene(message),
            Topic::Inputs => self.input(message),
            Topic::Perturbations => self.perturbation(header, message),
            Topic::Hashes => self.hashes(header, message),
            Topic::Keyframes => self.keyframe(header, message),
            Topic::End => self.end(header, message),
        }
    }

    fn scene(&mut self, message: &Message<'_>) -> Result<(), String> {
        let text = std::str::from_utf8(message.data).map_err(|error| format!("a scene that is not text: {error}"))?;
        self.scene = Some(text.to_owned());
        at(message, 0)
    }

    fn input(&mut self, message: &Message<'_>) -> Result<(), String> {
        let input: RecordedInput = json(message.data)?;
        if self.last_step().is_some_and(|step| input.step <= step) || input.step == 0 {
            return Err(format!("an input for step {}, which is past", input.step));
        }
        at(message, input.step)?;
        self.inputs.push(input);
        Ok(())
    }

    fn perturbation(&mut self, header: &Header, message: &Message<'_>) -> Result<(), String> {
        let perturbation: Perturbation = json(message.data)?;
        if perturbation.step > header.steps {
            return Err(format!("a perturbation of state {} of {}", perturbation.step, header.steps));
        }
        at(message, perturbation.step)?;
        self.perturbations.push(perturbation);
        Ok(())
    }

    fn hashes(&mut self, header: &Header, message: &Message<'_>) -> Result<(), String> {
        let (first, hashes) = hash_batch::decode(message.data, header.sections.len())?;
        let due = self.last_step().map_or(0, |step| step.saturating_add(1));
        if first != due {
            return Err(format!("hashes from step {first} on where step {due} is due"));
        }
        let last = u64::from(first) + hashes.len() as u64 - 1;
        let grid = u64::from(first).next_multiple_of(u64::from(header.keyframe_every));
        if last > u64::from(header.steps) || grid < last {
            return Err(format!("hashes of the steps {first} to {last} in one batch"));
        }
        if u64::from(message.sequence) != last {
            return Err(format!("hashes up to step {last}, in a message of step {}", message.sequence));
        }
        self.not_kept = self.steps.extend(hashes, header.sections.len()).err();
        Ok(())
    }

    fn keyframe(&mut self, header: &Header, message: &Message<'_>) -> Result<(), String> {
        if self.keyframe_due(header) != Some(message.sequence) {
            return Err(format!("a keyframe of step {}, which is not due", message.sequence));
        }
        self.not_kept = self.keyframes.insert(message.sequence, message.data).err();
        Ok(())
    }

    fn end(&mut self, header: &Header, message: &Message<'_>) -> Result<(), String> {
        let ending: Ending = json(message.data)?;
        let (Some(step), Some(hash)) = (self.last_step(), self.steps.last()) else {
            return Err("an ending before any step".to_owned());
        };
        ending.check(header, step, hash)?;
        at(message, step)?;
        self.ending = Some(ending);
        Ok(())
    }

    fn last_step(&self) -> Option<u32> {
        u32::try_from(self.steps.len()).ok()?.checked_sub(1)
    }

    /// The state whose keyframe must come next.
    fn keyframe_due(&self, header: &Header) -> Option<u32> {
        let on_grid = |step: &u32| step.is_multiple_of(header.keyframe_every);
        self.last_step().filter(on_grid).filter(|step| !self.keyframes.contains(*step))
    }

    /// What was read, if that is at least header and scene.
    ///
    /// # Errors
    /// If it cannot be kept among the temporary files.
    pub(crate) fn into_replay(self) -> Result<Option<Replay>, Fault> {
        let Self {
            definitions: _,
            header,
            scene,
            inputs,
            perturbations,
            steps,
            keyframes,
            ending,
            clock: _,
            not_kept: _,
        } = self;
        let (Some(header), Some(scene)) = (header, scene) else { return Ok(None) };
        let not_kept = |cause| Fault::Io(KEEP, cause);
        let (steps, keyframes) =
            (steps.into_hashes().map_err(not_kept)?, keyframes.into_keyframes().map_err(not_kept)?);
        Ok(Some(Replay { header, scene, inputs, perturbations, steps, keyframes, ending }))
    }
}
