// What happens in Inside Job, in sentences.

import type { LogEntry } from "../../api/types";
import { listed, say } from "../../words";
import type { Scene } from "../game";

export function describeEntry({ event }: LogEntry, { teller }: Scene): string | null {
  const { name, who, all } = teller;
  const onlyYou = (ids: string[]): string =>
    ids.length === 0 ? "" : ` (${say("log.only", { what: listed(ids.map(name)) })})`;
  switch (event.type) {
    case "inside_job_dealt":
      return (
        say("e.inside_job_dealt", {
          tricks: event.tricks,
          needed: event.missions_needed,
          limit: event.intel_limit,
          who: who(event.start_seat),
        }) + onlyYou(event.you ? [event.you.role] : [])
      );
    case "role_turned_up":
      return say("e.role_turned_up", { who: who(event.seat), role: name(event.role) });
    case "partner_chosen":
      return (
        say("e.partner_chosen", { who: who(event.seat), partner: who(event.partner) }) +
        onlyYou(event.you ? [event.you.role] : [])
      );
    case "missions_drawn":
      return (
        say("e.missions_drawn", { trick: event.trick, who: who(event.seat) }) + onlyYou(event.you?.missions ?? [])
      );
    case "mission_chosen":
      return say("e.mission_chosen", { who: who(event.seat), mission: name(event.mission) });
    case "trick_card_played":
      return say(event.wager ? "e.trick_card_played.wager" : "e.trick_card_played", {
        who: who(event.seat),
        card: name(event.card),
      });
    case "trick_completed":
      return say(event.succeeded ? "e.trick_completed" : "e.trick_completed.failed", {
        who: who(event.winner),
        intel: event.intel,
        mission: name(event.mission),
      });
    case "intel_stolen":
      return say("e.intel_stolen", { who: who(event.seat), victim: who(event.victim) });
    case "vote_opened":
      return say("e.vote_opened", { who: all(event.voters) });
    case "vote_cast":
      return (
        say("e.vote_cast", { who: who(event.seat) }) +
        (event.you ? ` (${say("log.only", { what: all(event.you.targets) })})` : "")
      );
    case "votes_shown":
      return say("e.votes_shown", {
        votes: listed(
          event.votes.flatMap((targets, seat) => (targets === null ? [] : [`${who(seat)} → ${all(targets)}`])),
        ),
      });
    case "inside_job_ended":
      return say("e.inside_job_ended", {
        ending: name(event.ending),
        roles: listed(event.roles.map((role, seat) => `${who(seat)}: ${name(role)}`)),
      });
    default:
      return name(event.type); // newer than this client
  }
}
