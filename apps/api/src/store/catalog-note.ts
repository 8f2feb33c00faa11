/** In the data directory of a catalog that is in PostgreSQL, so that no start without it takes the directory's files for lost. */
export const CATALOG_NOTE = "catalogue.json";
