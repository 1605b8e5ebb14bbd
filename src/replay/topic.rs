//! The channels of a replay, with the schemas that let any MCAP tool list and explain them.

/// What a message is about. Its channel and schema both have the id [`Topic::id`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// The [`Header`](crate::replay::Header), once, first.
    Header,
    /// The scene, once, second.
    Scene,
    /// One [`RecordedInput`](crate::replay::RecordedInput) per message.
    Inputs,
    /// One [`Perturbation`](crate::replay::Perturbation) per message.
    Perturbations,
    /// The [`StepHash`](crate::replay::StepHash)es of some consecutive steps.
    Hashes,
    /// The canonical bytes of one whole state.
    Keyframes,
    /// The [`Ending`](crate::replay::Ending), once, last.
    End,
}

/// What a file says about one of its topics before any message. Its channel and its schema have the same id.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Definition {
    pub(crate) id: u16,
    pub(crate) path: &'static str,
    pub(crate) message_encoding: &'static str,
    pub(crate) schema_name: &'static str,
    pub(crate) schema_encoding: &'static str,
    pub(crate) schema: &'static str,
}

const HEADER_SCHEMA: &str = r#"{"type":"object","properties":{"format":{"type":"integer"},"semantics":{"type":"integer"},"scalar":{"type":"string"},"scene_name":{"type":"string"},"dt":{"type":"string"},"dt_nanoseconds":{"type":"array","items":{"type":"integer"}},"steps":{"type":"integer"},"keyframe_every":{"type":"integer"},"bodies":{"type":"integer"},"bytes_per_body":{"type":"integer"},"bytes_per_contact_point":{"type":"integer"},"sections":{"type":"array","items":{"type":"string"}},"threads":{"type":"integer"},"overrides":{"type":"array","items":{"type":"string"}},"scene_file":{"type":["string","null"]},"reason":{"type":["string","null"]},"producer":{"type":"string"}}}"#;
const INPUT_SCHEMA: &str =
    r#"{"type":"object","properties":{"step":{"type":"integer"},"origin":{"type":"string"},"text":{"type":"string"}}}"#;
const PERTURBATION_SCHEMA: &str =
    r#"{"type":"object","properties":{"step":{"type":"integer"},"fault":{"type":"string"}}}"#;
const END_SCHEMA: &str = r#"{"type":"object","properties":{"outcome":{},"steps":{"type":"integer"},"root":{"type":"string"},"counters":{"type":"object"}}}"#;
const SCENE_SCHEMA: &str = "The scene as RON text, UTF-8.";
const HASHES_SCHEMA: &str = "Little-endian. u32 first step; u32 count; count roots of 32 bytes; then for each section \
    of the header: count digests of 8 bytes. The sequence of the message is its last step.";
const KEYFRAMES_SCHEMA: &str = "The canonical bytes of the whole state. The sequence of the message is its step.";

impl Topic {
    /// Every topic, by id.
    pub const ALL: [Self; 7] =
        [Self::Header, Self::Scene, Self::Inputs, Self::Perturbations, Self::Hashes, Self::Keyframes, Self::End];

    /// The id of its channel and of its schema, from 1.
    #[must_use]
    pub const fn id(self) -> u16 {
        self as u16 + 1
    }

    /// The topic whose channel has that id.
    #[must_use]
    pub fn from_id(id: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|topic| topic.id() == id)
    }

    /// The name of its channel.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Header => "/header",
            Self::Scene => "/scene",
            Self::Inputs => "/inputs",
            Self::Perturbations => "/perturbations",
            Self::Hashes => "/hashes",
            Self::Keyframes => "/keyframes",
            Self::End => "/end",
        }
    }

    /// How its messages are encoded, as MCAP names it.
    #[must_use]
    pub const fn message_encoding(self) -> &'static str {
        match self {
            Self::Header | Self::Inputs | Self::Perturbations | Self::End => "json",
            Self::Scene => "ron",
            Self::Hashes | Self::Keyframes => "application/octet-stream",
        }
    }

    /// The name of its schema.
    #[must_use]
    pub const fn schema_name(self) -> &'static str {
        match self {
            Self::Header => "physim.Header",
            Self::Scene => "physim.Scene",
            Self::Inputs => "physim.Input",
            Self::Perturbations => "physim.Perturbation",
            Self::Hashes => "physim.StepHashes",
            Self::Keyframes => "physim.State",
            Self::End => "physim.End",
        }
    }

    /// How its schema is written: a JSON Schema, or a sentence.
    #[must_use]
    pub const fn schema_encoding(self) -> &'static str {
        match self {
            Self::Header | Self::Inputs | Self::Perturbations | Self::End => "jsonschema",
            Self::Scene | Self::Hashes | Self::Keyframes => "text/plain",
        }
    }

    /// The schema.
    #[must_use]
    pub const fn schema(self) -> &'static str {
        match self {
            Self::Header => HEADER_SCHEMA,
            Self::Scene => SCENE_SCHEMA,
            Self::Inputs => INPUT_SCHEMA,
            Self::Perturbations => PERTURBATION_SCHEMA,
            Self::Hashes => HASHES_SCHEMA,
            Self::Keyframes => KEYFRAMES_SCHEMA,
            Self::End => END_SCHEMA,
        }
    }

    /// What a replay says about the topic.
    pub(crate) const fn definition(self) -> Definition {
        Definition {
            id: self.id(),
            path: self.path(),
            message_encoding: self.message_encoding(),
            schema_name: self.schema_name(),
            schema_encoding: self.schema_encoding(),
            schema: self.schema(),
        }
    }
}
