export { decidingPlace, minimapColumns, MINIMAP_BINS, type MinimapColumns } from "./minimap-columns.ts";
export { decodeGlyph, encodeGlyph, GLYPH_COLUMNS, GLYPH_LEVELS, type Glyph } from "./glyph.ts";
