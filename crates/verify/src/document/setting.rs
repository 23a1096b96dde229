//! The setting of each document, for readers who have not read it.

use super::Document;

impl Document {
    /// What its statements are about: who sends what to whom, and what is varied. Paragraphs in our words.
    #[must_use]
    pub fn setting(self) -> &'static [&'static str] {
        match self {
            Self::Lesson => &[
                "A client sends a request. When the attempt fails it tries again, up to r times, so that there are at most \
                 r + 1 attempts. Each attempt fails with the same probability p, whatever happened to the others. That \
                 probability is handed in from outside: there is no queue here, and more traffic does not make failures \
                 more likely.",
                "Two numbers are weighed against each other: how many attempts a request costs on average, and how \
                 likely it is to succeed in the end. Both follow from the same geometric series.",
            ],
            Self::ThreeAttempts => &[
                "One server works on one attempt at a time. Its service times are exponential with mean 1, and that mean \
                 is the unit of all times. New requests come as a Poisson process; its rate is called the load, the share of \
                 the server's capacity that they would need if none was retried. A client waits for an answer for a fixed \
                 timeout, 10 or 50, and then tries again, with three attempts in all. The server does not know that a \
                 client has left and serves the old attempt nevertheless: that work is abandoned. One served attempt in a \
                 hundred is answered with an error, so that retries have something to win.",
                "To knock the service over, the server is stopped for a while at time 2,000; the long stall lasts 2,000. \
                 Long afterwards, success is measured over the last 2,500 of 62,000. A service that is still at zero then, \
                 although the cause is long gone, is stuck.",
            ],
            Self::HelpingClients => &[
                "Eight servers can answer 12,000 requests a second together. Serving one takes 40 ms, and a client waits \
                 for 120 ms. Every attempt that gets no answer by then brings R further attempts on average, a number that \
                 need not be whole; each of them may fail and bring further ones in turn. The servers go on working on \
                 attempts whose client has left.",
                "The document varies R while the offered load stays the same. How much load is offered and how many \
                 requests a server holds at once, it does not say; the reading that we used stands beside the claims.",
            ],
            Self::RetryStorms => &[
                "A server that can answer 1,000 requests a second is offered 800. For five seconds it can do only 300, and \
                 then its whole capacity is back: a blip. Meanwhile a queue has grown, and its clients have begun to give \
                 up. Four policies say what a client does then: nothing; three retries at once; retries spread out by \
                 backoff with jitter; retries paid from a budget of a tenth of the requests.",
                "Each policy is tried with a server that works through its whole queue, and with one that drops work \
                 whose client has left. The question is when, if ever, useful answers come back.",
            ],
            Self::StopRetrying => &[
                "Four instances of a service pass 40 to 100 requests a second on to a search cluster and retry those that \
                 fail. Each instance pays for its retries from a pool of 25 tokens: a retry takes one, an empty pool means \
                 that the error is passed on instead, and a success brings back what a refill rate of one token a second \
                 has earned since the last one.",
                "In an incident most requests fail, the pools run empty and the retries stop by themselves. What matters \
                 is how quickly that happens, how many retries it saves, and whether the pool ever gets in the way on a \
                 normal day; also how it compares with a circuit breaker, which stops first attempts as well.",
            ],
            Self::Beyond => &[
                "One server, exponential service times whose mean is the unit of all times, new requests at random at a rate \
                 called the load, and three attempts for each: the setting of the study of three attempts, without a stall. By \
                 chance the line becomes so long that clients give up, and their retries keep it so. That happens once in \
                 thousands of services at a timeout of 10 and once in 10¹¹ at a timeout of 40.",
                "So rare an event is measured by splitting: a cycle from one idle moment to the next that gets part of the way is \
                 continued several times, each with a share of its weight. The claims hold the result against plain runs where \
                 those reach, against a Markov chain that is solved exactly, and against what theory says about its growth.",
            ],
        }
    }

    /// Words of the glossary that its claims use, as the glossary spells them.
    #[must_use]
    pub fn words(self) -> &'static [&'static str] {
        match self {
            Self::Lesson => &[
                "request",
                "attempt",
                "retry",
                "loss",
                "amplification",
                "retry share",
                "capacity",
            ],
            Self::ThreeAttempts => &[
                "attempt",
                "timeout",
                "load (ρ)",
                "stall",
                "success",
                "abandoned work",
                "stuck",
                "stuck line",
                "locked up",
                "backoff",
                "budget",
                "discipline",
                "deadline check",
            ],
            Self::HelpingClients => &[
                "attempt",
                "timeout",
                "retries per failure",
                "utilisation",
                "goodput",
                "fold",
                "metastable",
                "budget",
            ],
            Self::RetryStorms => &[
                "blip",
                "timeout",
                "backoff",
                "budget",
                "deadline check",
                "dead time",
                "goodput",
                "metastable",
            ],
            Self::StopRetrying => &["client", "retry", "budget", "token pool", "success", "goodput"],
            Self::Beyond => &[
                "attempt",
                "timeout",
                "load (ρ)",
                "retry",
                "locked up",
                "idle",
                "splitting",
            ],
        }
    }
}
