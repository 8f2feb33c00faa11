import { useEffect, useState } from "react";
import { type BinWindow, type BlockWindow, decodeWindow } from "@aglens/contract";
import { readBytes } from "./request.ts";

/** Address of the picture of a capture. */
export const previewOf = (id: string): string => `/captures/${encodeURIComponent(id)}/preview`;

/** Address of the picture of a sample capture. */
export const previewOfSample = (name: string): string => `/samples/${encodeURIComponent(name)}/preview`;

/** The picture at an address, null until it is there. A picture that cannot be had is left out: words say all it shows. */
export function usePreview(path: string | null): BinWindow | BlockWindow | null {
  const [loaded, setLoaded] = useState<{ path: string; window: BinWindow | BlockWindow } | null>(null);
  useEffect(() => {
    if (path === null) return;
    const abort = new AbortController();
    readBytes(path, abort.signal).then(
      (bytes) => setLoaded({ path, window: decodeWindow(bytes) }),
      () => undefined,
    );
    return () => abort.abort();
  }, [path]);
  return loaded?.path === path ? loaded.window : null;
}
