// Plays a match as programs do: opens it, answers for both seats until it is over, and follows it.
//
//     node out/play.js ADDRESS TOKEN GAME DECK DECK
//
// One seat speaks JSON, the other binary, whoever follows gRPC-Web. What came of it is printed as
// JSON, for the test that started this.
import { Code, ConnectError, createClient, type Client, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-node";

import { ErrorInfoSchema } from "./gen/google/rpc/error_details_pb.js";
import type { Option } from "./gen/kifu/v1/decisions_pb.js";
import { MatchService, MatchState } from "./gen/kifu/v1/match_service_pb.js";

const [address, organiserToken, game, ...decks] = process.argv.slice(2);
const baseUrl = `${address}/api`;

function bearer(token: string): Interceptor {
  return (next) => (request) => {
    request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };
}

function client(token: string, useBinaryFormat: boolean): Client<typeof MatchService> {
  const interceptors = [bearer(token)];
  return createClient(
    MatchService,
    createConnectTransport({ baseUrl, httpVersion: "1.1", useBinaryFormat, interceptors }),
  );
}

async function follow(token: string, matchId: string): Promise<{ seqs: number[]; state: MatchState }> {
  const interceptors = [bearer(token)];
  const web = createGrpcWebTransport({ baseUrl, httpVersion: "1.1", interceptors });
  const seqs: number[] = [];
  for await (const message of createClient(MatchService, web).watchEvents({ matchId })) {
    seqs.push(...message.entries.map((entry) => entry.seq));
    if (message.ended) return { seqs, state: message.ended.state };
  }
  throw new Error("the stream ended before the match");
}

async function refused(seat: Client<typeof MatchService>, matchId: string, decision: number) {
  try {
    await seat.choose({ matchId, decision, act: { kind: "no such act" } });
  } catch (error) {
    const wrong = ConnectError.from(error);
    const [info] = wrong.findDetails(ErrorInfoSchema);
    return { code: Code[wrong.code], reason: info.reason, rules: info.metadata["rules"] };
  }
  throw new Error("it was not refused");
}

const organiser = client(organiserToken, false);
const opened = await organiser.openMatch({
  game,
  seats: ["Ann", "Ben"],
  decks: decks.map((name) => ({ name })),
  seed: 7n,
});
const matchId = opened.match!.id;
const grants = opened.tokens;
const seats = [0, 1].map((seat) => {
  const grant = grants.find((one) => one.role === "seat" && one.seat === seat)!;
  return client(grant.token, seat === 1);
});
const following = follow(grants.find((one) => one.role === "public")!.token, matchId);

let made = 0;
let lottery = 12345;
function pick(options: Option[]): Option {
  lottery = (lottery * 48271) % 2147483647;
  return options[lottery % options.length];
}

let refusal: Awaited<ReturnType<typeof refused>> | undefined;
for (;;) {
  const open = (await seats[0].getPosition({ matchId })).position!.decision;
  if (!open) break;
  const seat = seats[open.seats[0]];
  refusal ??= await refused(seat, matchId, open.n);
  const own = (await seat.getPosition({ matchId })).position!.decision!;
  const options = own.offers.find((one) => one.seat === open.seats[0])!.offer!.options;
  const { kind, card, effect } = pick(options);
  await seat.choose({ matchId, decision: open.n, act: { kind, card, effect } });
  made += 1;
}

const { seqs, state } = await following;
console.log(JSON.stringify({ matchId, made, refusal, seqs, state: MatchState[state] }));
