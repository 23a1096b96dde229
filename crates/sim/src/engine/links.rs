//! What joins a tier to the one that calls it and to the one that it calls.

use super::plan::shift_sent;
use super::service::Service;
use super::tier::Tier;

/// An attempt that was served at a tier and waits for the answer of the tier behind.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Call {
    /// When the attempt was sent.
    sent: i64,
    /// Names the attempt to the clients of its tier.
    ticket: u64,
    /// Whether the answer is an error whatever the tier behind says.
    error: bool,
}

/// What a tier leaves for a neighbour.
#[derive(Debug, Clone, Copy)]
pub(super) enum Message {
    /// A request to the tier behind.
    Call(Call),
    /// What became of a request of the tier in front.
    Reply { call: Call, good: bool },
}

impl Call {
    pub(super) fn shift(&mut self, by: i64) {
        shift_sent(&mut self.sent, by);
    }
}

/// The neighbours of a tier.
#[derive(Debug, Clone)]
pub(super) struct Links {
    is_called: bool,
    calls: bool,
    messages: Vec<Message>,
}

impl Links {
    /// The links of one of so many tiers, counted from the outermost, 0.
    pub(super) fn of_tier(index: u32, tiers: u32) -> Option<Self> {
        (tiers > 1).then(|| Self {
            is_called: index > 0,
            calls: index + 1 < tiers,
            messages: Vec::new(),
        })
    }

    /// Whether the tier's requests are another tier's calls.
    pub(super) fn is_called(&self) -> bool {
        self.is_called
    }
}

impl Tier {
    /// Whether an attempt that was served calls the tier behind.
    #[inline]
    pub(super) fn calls(&self) -> bool {
        self.links.as_ref().is_some_and(|links| links.calls)
    }

    /// What the tier has left for its neighbours since the last call.
    pub(super) fn take_messages(&mut self) -> impl Iterator<Item = Message> + use<> {
        let messages = self
            .links
            .as_mut()
            .map(|links| std::mem::take(&mut links.messages));
        messages.into_iter().flatten()
    }

    fn post(&mut self, message: Message) {
        if let Some(links) = &mut self.links {
            links.messages.push(message);
        }
    }

    /// An attempt whose service has ended calls the tier behind.
    #[inline(never)]
    pub(super) fn call(&mut self, service: &Service) {
        self.post(Message::Call(Call {
            sent: service.sent,
            ticket: service.ticket,
            error: service.error,
        }));
    }

    /// The tier in front calls: a new request.
    pub(super) fn accept(&mut self, call: Call) {
        let client = self.draw_client();
        self.begin_request::<false>(client, call);
    }

    /// The tier behind has answered a call, or given it up.
    pub(super) fn hear(&mut self, call: Call, good: bool) {
        match self.outstanding.answer(call.ticket, self.now - call.sent) {
            Some(attempt) => self.answer::<false>(attempt, attempt.errs(call.error) || !good),
            None => self.counts.late_answers += 1,
        }
    }

    /// A request has succeeded or been given up for good, which the tier in front hears, if there is one.
    #[inline]
    pub(super) fn reply(&mut self, call: Call, good: bool) {
        if let Some(links) = &mut self.links
            && links.is_called
        {
            links.messages.push(Message::Reply { call, good });
        }
    }
}
