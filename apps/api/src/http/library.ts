import type { Router } from "express";
import type { Person } from "@aglens/contract";
import { hasRole, mayChange, maySee } from "../access/rules.ts";
import type { Library, LibraryReader } from "../captures/life/library.ts";
import { personOf } from "./guard.ts";
import { LibraryQuery } from "./parameters.ts";

/** The list of captures with facets, search and counts. */
export function addLibraryRoutes(router: Router, library: Library): void {
  router.get("/library", async (request, response) => {
    response.json(await library.page(LibraryQuery.parse(request.query), readerOf(personOf(response))));
  });
}

/** Where nobody signs in, whoever asks may do everything. */
export function readerOf(person: Person | null): LibraryReader {
  if (person === null) {
    return { personId: null, isAdmin: true, maySee: () => true, mayChange: () => true };
  }
  return {
    personId: person.id,
    isAdmin: hasRole(person, "admin"),
    maySee: (capture) => maySee(person, capture),
    mayChange: (capture) => mayChange(person, capture),
  };
}
