import type { Request, Response, Router } from "express";
import { NewLink } from "@aglens/contract";
import type { Link } from "@aglens/contract";
import type { Clock } from "../clock.ts";
import type { Captures } from "../captures/captures.ts";
import { hashOf, matchesHash, newId } from "../identity.ts";
import type { Catalogue, LinkRecord } from "../store/catalogue.ts";
import { problem } from "../problems.ts";
import { expectMayChange, personOf } from "./guard.ts";

const DAY_MS = 24 * 3600 * 1000;

/** Share links: a view of one capture under an unguessable id, deletable by who made it. */
export function addLinkRoutes(router: Router, captures: Captures, catalogue: Catalogue, clock: Clock): void {
  router.post("/links", (request, response) => {
    const { expiresInDays, ...wanted } = NewLink.parse(request.body ?? {});
    expectMayChange(personOf(response), captures.records.get(wanted.captureId));
    const now = clock.now();
    const deleteToken = newId();
    const record: LinkRecord = {
      ...wanted,
      id: newId(),
      created: new Date(now).toISOString(),
      expires: expiresInDays === null ? null : new Date(now + expiresInDays * DAY_MS).toISOString(),
      tokenHash: hashOf(deleteToken),
    };
    captures.keepUntil(record.captureId, record.expires);
    catalogue.saveLink(record);
    response
      .status(201)
      .location(`/api/v1/links/${record.id}`)
      .json({ ...publicLink(record), deleteToken });
  });

  router.get("/links/:id", (request, response) => {
    const record = find(catalogue, request.params.id);
    if (record.expires !== null && record.expires <= new Date(clock.now()).toISOString()) {
      throw problem("link-expired", "The link has expired. Ask who sent it for a new one.");
    }
    response.json(publicLink(record));
  });

  router.delete("/links/:id", (request, response) => {
    const record = find(catalogue, request.params.id);
    expectMayDelete(request, response, record);
    catalogue.deleteLink(record.id);
    response.status(204).end();
  });

  /** Where people sign in, who may change the capture; elsewhere who has the token that the maker got. */
  function expectMayDelete(request: Request, response: Response, record: LinkRecord): void {
    const person = personOf(response);
    if (person !== null) {
      expectMayChange(person, captures.records.get(record.captureId));
      return;
    }
    const token = /^Bearer ([A-Za-z0-9_-]{1,100})$/u.exec(request.get("authorization") ?? "")?.[1];
    if (token !== undefined && matchesHash(token, record.tokenHash)) return;
    throw problem("unauthorised", "Only who made the link can delete it: send its delete token.");
  }
}

function find(catalogue: Catalogue, id: string): LinkRecord {
  const record = catalogue.link(id);
  if (!record) throw problem("link-not-found", "There is no such link. It may have been deleted.");
  return record;
}

/** The link as anybody with its id may see it. */
function publicLink(record: LinkRecord): Link {
  const { id, captureId, path, view, title, created, expires } = record;
  return { id, captureId, path, view, title, created, expires };
}
