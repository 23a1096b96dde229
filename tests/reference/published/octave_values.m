% Values of the Octave package queueing, one JSON object per line; run by run_packages.py.
1;
warning("off", "all");
pkg load queueing

function report(quantity, parameters, result, value, call, extra = "")
  printf("{\"quantity\": \"%s\", \"parameters\": {%s}, \"result\": \"%s\", \"value\": %.17g, \"call\": \"%s\"%s}\n", ...
         quantity, parameters, result, value, call, extra);
end

for case_ = {{10, 50}, {40, 50}, {5, 40}, {180, 200}}
  [load_, servers] = case_{1}{:};
  parameters = sprintf("\"offered_load\": %.17g, \"servers\": %d", load_, servers);
  call = sprintf("(%g, %d)", load_, servers);
  report("erlang-b", parameters, "blocking", erlangb(load_, servers), ["erlangb" call]);
  report("erlang-c", parameters, "wait_probability", erlangc(load_, servers), ["erlangc" call]);
end

[U R Q X p0] = qsmm1(0.9, 1.25);
parameters = "\"arrival_rate\": 0.9, \"service_rate\": 1.25";
report("mm1", parameters, "utilization", U, "qsmm1(0.9, 1.25)");
report("mm1", parameters, "sojourn_time_mean", R, "qsmm1(0.9, 1.25)");
report("mm1", parameters, "number_in_system", Q, "qsmm1(0.9, 1.25)");

[U R Q X p0 pm] = qsmmm(0.5, 0.15, 5);
parameters = "\"arrival_rate\": 0.5, \"service_rate\": 0.15, \"servers\": 5";
report("mmc", parameters, "sojourn_time_mean", R, "qsmmm(0.5, 0.15, 5)");
report("mmc", parameters, "number_in_system", Q, "qsmmm(0.5, 0.15, 5)");
report("mmc", parameters, "wait_probability", pm, "qsmmm(0.5, 0.15, 5)");

for case_ = {{0.5, 1, 40}, {1.25, 1, 10}}
  [lambda, mu, places] = case_{1}{:};
  [U R Q X p0 pK] = qsmm1k(lambda, mu, places);
  parameters = sprintf("\"arrival_rate\": %.17g, \"service_rate\": %.17g, \"places\": %d", lambda, mu, places);
  call = sprintf("qsmm1k(%g, %g, %d)", lambda, mu, places);
  report("mm1k", parameters, "blocking", pK, call);
  report("mm1k", parameters, "number_in_system", Q, call);
  report("mm1k", parameters, "sojourn_time_mean", R, call);
end

[U R Q X p0 pK] = qsmmmk(2, 1, 4, 48);
parameters = "\"arrival_rate\": 2, \"service_rate\": 1, \"servers\": 4, \"places\": 48";
report("mmck", parameters, "blocking", pK, "qsmmmk(2, 1, 4, 48)");
report("mmck", parameters, "empty_probability", p0, "qsmmmk(2, 1, 4, 48)");
report("mmck", parameters, "sojourn_time_mean", R, "qsmmmk(2, 1, 4, 48)");

% Services that are constant with probability 1/2 and exponential otherwise, of mean 0.8.
x2nd = 0.64 * (1 + 2) / 2;
[U R Q X p0] = qsmg1(0.9, 0.8, x2nd);
report("mg1", "\"arrival_rate\": 0.9, \"service_mean\": 0.8, \"service_scv\": 0.5", "sojourn_time_mean", R, ...
       "qsmg1(0.9, 0.8, 0.96)");

% Markov chains: the customers ahead of one who has come, last in first out, rate 0.5 up and 1 down, cut off at 400.
states = 401;
lambda = 0.5;
birth = lambda * ones(1, states - 1);
birth(1) = 0;
ahead = ctmcbd(birth, ones(1, states - 1));
one_ahead = [0 1 zeros(1, states - 2)];
call = "of the chain of those ahead";
parameters = "\"arrival_rate\": 0.5, \"service_rate\": 1";
report("busy-period", parameters, "mean", ctmcmtta(ahead, one_ahead), ["ctmcmtta " call]);
report("lifo", parameters, "waiting_time_mean", ctmcmtta(ahead, one_ahead), ["ctmcmtta " call ", for those who wait: half of all"], ", \"scale\": 2");
for time = [2 10 300]
  share = ctmc(ahead, time, one_ahead);
  report("lifo", [parameters sprintf(", \"time\": %g", time)], "waiting_time_tail", sum(share(2:end)), ...
         ["ctmc " call ", for those who wait: half of all"], ", \"scale\": 2");
end
% With one state more for the customer's own service, which nobody interrupts.
birth(2) = 0;
own_and_ahead = ctmcbd(birth, ones(1, states - 1));
start = [0, 1 - lambda, lambda, zeros(1, states - 3)];
for time = [5 300]
  share = ctmc(own_and_ahead, time, start);
  report("lifo", [parameters sprintf(", \"time\": %g", time)], "sojourn_time_tail", sum(share(2:end)), ...
         ["ctmc " call " and the own service"]);
end

% First in first out: the customer's own position falls by one at each service, and the last one is his own.
places = 200;
position = ctmcbd(zeros(1, places - 1), ones(1, places - 1));
found = [0 (1 - lambda) * lambda .^ (0:places - 2)];
for time = [4 60]
  share = ctmc(position, time, found);
  at = [parameters sprintf(", \"time\": %g", time)];
  report("mm1", at, "sojourn_time_tail", sum(share(2:end)), "ctmc of the customer's position, 200 states");
  report("mm1", at, "waiting_time_tail", sum(share(3:end)), "ctmc of the customer's position, 200 states");
end
% Three servers of rate 1 and arrivals of rate 2: position k + 1 waits for k services of rate 3, then takes one of rate 1.
pk = qsmmm(2, 1, 3, 0:places);
start = [0, sum(pk(1:3)), pk(4:places)];
position = ctmcbd(zeros(1, numel(start) - 1), [1, 3 * ones(1, numel(start) - 2)]);
for time = [2 32]
  share = ctmc(position, time, start);
  at = sprintf("\"arrival_rate\": 2, \"service_rate\": 1, \"servers\": 3, \"time\": %g", time);
  report("mmc", at, "sojourn_time_tail", sum(share(2:end)), "ctmc of the customer's position");
  report("mmc", at, "waiting_time_tail", sum(share(3:end)), "ctmc of the customer's position");
end

% Erlang A as a birth-death chain of 250 states: 10 servers of rate 1, arrivals of rate 9, patience of mean 2.
n = 1:249;
share = ctmc(ctmcbd(9 * ones(1, 249), min(n, 10) + 0.5 * max(n - 10, 0)));
parameters = "\"arrival_rate\": 9, \"service_rate\": 1, \"servers\": 10, \"patience_mean\": 2";
report("erlang-a", parameters, "wait_probability", sum(share(11:end)), "ctmc of the number in the system, 250 states");
report("erlang-a", parameters, "number_in_system", dot(0:249, share), "ctmc of the number in the system, 250 states");
