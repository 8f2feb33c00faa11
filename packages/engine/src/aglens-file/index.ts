export { AGLENS_BOUNDS, readAglensFile, type AglensBounds, type UnpackedCapture } from "./read.ts";
export { TABLE_NAMES, type CaptureToPack, type PackedCapture } from "./shape.ts";
export { aglensFileBytes, factsToPack, filesToPack } from "./write.ts";
