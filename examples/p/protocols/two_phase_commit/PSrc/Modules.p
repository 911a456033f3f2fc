module Coordinators = { Coordinator, Timer };
module Participants = { Participant };
module TwoPhaseCommit = (union Coordinators, Participants, { Client, CrashInjector });
