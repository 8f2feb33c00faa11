import type { Request, Response, Router } from "express";
import {
  LinkList,
  LinkPassphrase,
  LinkRenewal,
  mapTexts,
  NewLink,
  replacedNames,
  Summary,
} from "@aglens/contract";
import type { Link, OpenedLink, Person } from "@aglens/contract";
import type { z } from "zod";
import type { Passing } from "../access/passing.ts";
import { PassphraseTries } from "../access/passphrase-tries.ts";
import type { TryingBrowser } from "../access/passphrase-tries.ts";
import { isPassphrase, isUnlocked, keptPassphrase, unlockProof } from "../access/passphrase.ts";
import { withoutSensitiveFields } from "../access/sensitive-fields.ts";
import { hasRole } from "../access/rules.ts";
import type { Answers } from "../captures/answers/answers.ts";
import type { Captures } from "../captures/captures.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Config } from "../settings/config.ts";
import { hashOf, matchesHash, newId } from "../kernel/identity.ts";
import { problem } from "@aglens/engine/problems";
import type { Catalogue, KeptPassphrase, LinkRecord } from "../store/catalogue.ts";
import type { AnswerDoor, OpenedCapture } from "./answers.ts";
import { cookieOf, cookieOptions } from "./cookies.ts";
import { expectMayChange, noteInAudit, personOf } from "./guard.ts";
import { logOf } from "./request-log.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How long a browser that gave the passphrase is not asked again. */
const UNLOCKED_MS = 12 * HOUR_MS;
/** How long a browser that gave the passphrase is known, so that nobody else's wrong tries keep it out. */
const KNOWN_MS = 90 * DAY_MS;

export interface LinkParts {
  readonly captures: Captures;
  readonly catalogue: Catalogue;
  readonly answers: Answers;
  readonly passing: Pick<Passing, "tries">;
  readonly clock: Clock;
  readonly config: Pick<Config, "publicUrl">;
  /** Whether people sign in here. */
  readonly hasAccess: boolean;
}

/** Making links, looking after them, and the passphrase; what they show has routes of its own behind `linkDoor`. */
export function addLinkRoutes(router: Router, parts: LinkParts): LinkDoor {
  const { captures, catalogue, clock, hasAccess } = parts;
  const links = new LinkDoor(parts);

  router.post("/links", async (request, response) => {
    const { expiresInDays, passphrase, ...wanted } = NewLink.parse(request.body);
    expectMayChange(personOf(response), await captures.records.get(wanted.captureId));
    const deleteToken = newId();
    const record: LinkRecord = {
      ...wanted,
      audience: wanted.audience ?? (hasAccess ? "signed-in" : "anyone"),
      ...(passphrase === undefined ? {} : { passphrase: await keptPassphrase(passphrase) }),
      id: newId(),
      created: new Date(clock.now()).toISOString(),
      expires: endOf(expiresInDays),
      tokenHash: hashOf(deleteToken),
    };
    await captures.keepUntil(record.captureId, record.expires);
    // It may have been deleted since.
    if (!(await catalogue.addLink(record))) await captures.records.get(record.captureId);
    await noteInAudit(response, "made a link", record.title);
    response
      .status(201)
      .location(`/api/v1/links/${record.id}`)
      .json({ ...makersLink(record), ...(hasAccess ? {} : { deleteToken }) });
  });

  router.get("/captures/:id/links", async (request, response) => {
    await captures.records.get(request.params.id);
    const links = await catalogue.linksOf(request.params.id);
    const list: z.infer<typeof LinkList> = { links: links.map(makersLink) };
    response.json(list);
  });

  router.get("/links/:id", async (request, response) => {
    response.json(await links.view(request, response));
  });

  router.post("/links/:id/passphrase", async (request, response) => {
    await links.unlock(request, response);
    response.status(204).end();
  });

  router.patch("/links/:id", async (request, response) => {
    const record = await links.find(request.params.id);
    await expectMayEnd(request, response, record);
    expectNotTakenBack(record);
    const { expiresInDays } = LinkRenewal.parse(request.body);
    const expires = endOf(expiresInDays);
    await captures.keepUntil(record.captureId, expires);
    const renewed = await catalogue.changeLink(record.id, (present) => {
      expectNotTakenBack(present);
      return { ...present, expires };
    });
    await noteInAudit(response, "renewed a link", record.title);
    response.json(makersLink(renewed ?? expectLink(null)));
  });

  // Taken back, a link stays for its maker's list and for the page that says so.
  router.delete("/links/:id", async (request, response) => {
    const record = await links.find(request.params.id);
    await expectMayEnd(request, response, record);
    const takenBack = new Date(clock.now()).toISOString();
    await catalogue.changeLink(record.id, (present) => ({ ...present, takenBack }));
    await noteInAudit(response, "took back a link", record.title);
    response.status(204).end();
  });

  return links;

  function endOf(days: number | null): string | null {
    return days === null ? null : new Date(clock.now() + days * DAY_MS).toISOString();
  }

  /** Where people sign in, who may change the capture; elsewhere who has the token that the maker got. */
  async function expectMayEnd(request: Request, response: Response, record: LinkRecord): Promise<void> {
    const person = personOf(response);
    if (person !== null) {
      expectMayChange(person, await captures.records.get(record.captureId));
      return;
    }
    const token = /^Bearer ([A-Za-z0-9_-]{1,100})$/u.exec(request.get("authorization") ?? "")?.[1];
    if (token !== undefined && matchesHash(token, record.tokenHash)) return;
    throw problem("unauthorised", "Only who made the link can delete it: send its delete token.");
  }
}

/** What a link says of itself, with the names that it shows. */
export interface LinkInWords {
  readonly title: string;
  readonly summary: Summary;
  readonly captureId: string;
  /** The view it restores, as a query string. */
  readonly view: string;
}

/** Lets whoever has a link to its capture, by the link's own id, as long as the link lasts. */
export class LinkDoor implements AnswerDoor {
  readonly path = "/links/:id";
  readonly #parts: LinkParts;
  readonly #tries: PassphraseTries;

  constructor(parts: LinkParts) {
    this.#parts = parts;
    this.#tries = new PassphraseTries(parts.passing);
  }

  /** @throws ProblemError `link-not-found` */
  async find(id: string): Promise<LinkRecord> {
    return expectLink(await this.#parts.catalogue.link(id));
  }

  /** What the page of a link needs; of a locked one nothing but until when. @throws ProblemError when it has ended */
  async view(request: Request<{ id: string }>, response: Response): Promise<OpenedLink> {
    const record = await this.#lasting(request.params.id, personOf(response));
    const { id, expires, replacesNames = false, title, path, view } = record;
    const common = { id, expires, replacesNames };
    if (!this.#isUnlocked(request, record)) {
      this.#tellApart(request, response, record);
      return { ...common, isLocked: true, title: "", path: "/", view: "" };
    }
    if (!replacesNames) return { ...common, isLocked: false, title, path, view };
    const { hide } = await this.#names(record.captureId);
    return { ...common, isLocked: false, title: hide(title), path, view: queryWith(view, hide) };
  }

  /** @throws ProblemError `wrong-passphrase`, `too-many-tries`, or when the link has ended */
  async unlock(request: Request<{ id: string }>, response: Response): Promise<void> {
    const record = await this.#lasting(request.params.id, personOf(response));
    const { passphrase: kept } = record;
    if (kept === undefined) return;
    const browser = this.#browserOf(request, record, kept);
    // Counted before the hash is there: tries that are sent at once are counted each.
    const begun = await this.#tries.begin(record.id, browser, request.ip ?? "");
    const given = LinkPassphrase.safeParse(request.body);
    if (!given.success || !(await isPassphrase(given.data.passphrase, kept))) {
      const tries = begun.left === 1 ? "1 try" : `${begun.left} tries`;
      throw problem("wrong-passphrase", `${tries} left this hour. Capitals do not matter.`);
    }
    await begun.forgive();
    const now = this.#parts.clock.now();
    const setCookie = (name: string, proves: string, ends: number): void => {
      const options = { ...cookieOptions(request, this.#parts.config), expires: new Date(ends) };
      response.cookie(name, unlockProof(proves, kept, ends), options);
    };
    setCookie(unlockedCookie(record), record.id, now + UNLOCKED_MS);
    setCookie(browserCookie(record), knownBrowser(record), now + KNOWN_MS);
  }

  /** Gives a browser something by which its tries are counted apart from those of others at its address. */
  #tellApart(request: Request, response: Response, record: LinkRecord): void {
    if (cookieOf(request, browserCookie(record)) !== null) return;
    response.cookie(browserCookie(record), newId(), cookieOptions(request, this.#parts.config));
  }

  #browserOf(request: Request, record: LinkRecord, kept: KeptPassphrase): TryingBrowser {
    const cookie = cookieOf(request, browserCookie(record));
    const isKnown = isUnlocked(cookie, knownBrowser(record), kept, this.#parts.clock.now());
    return { id: cookie === null ? null : hashOf(cookie), isKnown };
  }

  /** @throws ProblemError when the link has ended or is locked */
  async open(request: Request<{ id: string }>, response: Response): Promise<OpenedCapture> {
    const record = await this.#lasting(request.params.id, personOf(response));
    if (!this.#isUnlocked(request, record)) {
      throw problem("passphrase-needed", "This link asks for a passphrase.");
    }
    const { id, captureId, replacesNames = false } = record;
    const names = replacesNames ? await this.#names(captureId) : null;
    return {
      captureId,
      shownId: id,
      onSummary: () => {
        const counted = this.#count(id, (opens) => ({
          ...opens,
          count: opens.count + 1,
          last: this.#now(),
        }));
        // Whoever opened it has the answer.
        counted.catch((error: unknown) => {
          logOf(response).error({ err: error }, "the opening of a link was not counted");
        });
      },
      ...(names === null
        ? { shown: (_, value) => withoutSensitiveFields(value), shownAsks: ["sequence", "rawEvents"] }
        : {
            shown: (schema, value) => mapTexts(schema, withoutSensitiveFields(value), names.hide),
            asked: names.find,
          }),
    };
  }

  /**
   * The capture whose notes a link shows, and how their texts are shown.
   * @throws ProblemError when the link has ended or is locked
   */
  async openForNotes(
    request: Request<{ id: string }>,
    response: Response,
  ): Promise<{ readonly captureId: string; readonly hide: (text: string) => string }> {
    const { captureId } = await this.open(request, response);
    const { replacesNames = false } = await this.find(request.params.id);
    if (!replacesNames) return { captureId, hide: (text) => text };
    return { captureId, hide: (await this.#names(captureId)).hide };
  }

  /** The link, while it opens for that person; a try after its end is counted. */
  async #lasting(id: string, person: Person | null): Promise<LinkRecord> {
    const record = await this.find(id);
    try {
      expectNotTakenBack(record);
      if (record.expires !== null && record.expires <= this.#now()) {
        throw problem("link-expired", "The link has expired. Ask who sent it for a new one.");
      }
    } catch (error) {
      await this.#count(id, (opens) => ({ ...opens, after: opens.after + 1 }));
      throw error;
    }
    if (this.#parts.hasAccess && record.audience === "signed-in") {
      if (person === null) throw problem("sign-in-needed", "Sign in to AG Lens first.");
      if (!hasRole(person, "viewer")) throw problem("no-role", `${person.name} has no role here.`);
    }
    return record;
  }

  #isUnlocked(request: Request, record: LinkRecord): boolean {
    const { id, passphrase } = record;
    const proof = cookieOf(request, unlockedCookie(record));
    return passphrase === undefined || isUnlocked(proof, id, passphrase, this.#parts.clock.now());
  }

  async #count(id: string, change: (opens: Link["opens"]) => Link["opens"]): Promise<void> {
    await this.#parts.catalogue.changeLink(id, (present) => ({
      ...present,
      opens: change(present.opens ?? NEVER_OPENED),
    }));
  }

  /**
   * What a link may say of itself where it is pasted, before anybody has opened it: nothing of one that asks for a passphrase or a
   * person, or has ended.
   */
  async inWords(id: string): Promise<LinkInWords | null> {
    const { hasAccess, catalogue, answers } = this.#parts;
    const record = await catalogue.link(id);
    if (record === null || record.passphrase !== undefined) return null;
    const hasEnded =
      (record.takenBack ?? null) !== null || (record.expires !== null && record.expires <= this.#now());
    if (hasEnded || (hasAccess && record.audience === "signed-in")) return null;
    const known = await answers.summary(record.captureId).catch(() => null);
    if (known === null) return null;
    const { captureId, view, title, replacesNames = false } = record;
    if (!replacesNames) return { title, summary: known, captureId, view };
    const { hide } = replacedNames(known, known.name);
    return { title: hide(title), summary: mapTexts(Summary, known, hide) as Summary, captureId, view };
  }

  async #names(captureId: string): Promise<ReturnType<typeof replacedNames>> {
    const summary = await this.#parts.answers.summary(captureId);
    return replacedNames(summary, summary.name);
  }

  #now(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }
}

const NEVER_OPENED: Link["opens"] = { count: 0, last: null, after: 0 };

/** Of each link its own; the beginning of an id opens nothing. */
const unlockedCookie = ({ id }: LinkRecord): string => `aglens-link-${id.slice(0, 8)}`;
const browserCookie = ({ id }: LinkRecord): string => `aglens-browser-${id.slice(0, 8)}`;
/** A proof of it opens nothing. */
const knownBrowser = ({ id }: LinkRecord): string => `browser of ${id}`;

/** @throws ProblemError `link-not-found` */
function expectLink(record: LinkRecord | null): LinkRecord {
  if (record) return record;
  throw problem("link-not-found", "There is no such link. It may have been deleted with its capture.");
}

function expectNotTakenBack({ takenBack = null }: LinkRecord): void {
  if (takenBack !== null) {
    throw problem("link-taken-back", "Who made this link has taken it back. Ask them for a new one.");
  }
}

/** A query string with its values mapped. */
function queryWith(query: string, map: (text: string) => string): string {
  const entries = [...new URLSearchParams(query)].map(([key, value]) => [key, map(value)]);
  return new URLSearchParams(entries).toString();
}

/** The link as who made it may see it. */
function makersLink(record: LinkRecord): Link {
  const { id, captureId, path, view, title, created, expires } = record;
  return {
    id,
    captureId,
    path,
    view,
    title,
    created,
    expires,
    audience: record.audience ?? "anyone",
    hasPassphrase: record.passphrase !== undefined,
    replacesNames: record.replacesNames ?? false,
    takenBack: record.takenBack ?? null,
    opens: record.opens ?? NEVER_OPENED,
  };
}
