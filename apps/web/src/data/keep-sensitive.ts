import { create } from "zustand";

interface KeepSensitive {
  /** Statement texts, host and login names stay in the files that are sent from now on; without it the server drops them. */
  readonly keepSensitive: boolean;
  readonly setKeepSensitive: (keepSensitive: boolean) => void;
}

/** The uploader's choice. It is not remembered: each page begins without it. */
export const useKeepSensitive = create<KeepSensitive>()((set) => ({
  keepSensitive: false,
  setKeepSensitive: (keepSensitive) => set({ keepSensitive }),
}));

/** Parameter of a file upload for this choice; empty for the server's default. */
export function keepSensitiveParameter(): { readonly keepSensitive?: "true" } {
  return useKeepSensitive.getState().keepSensitive ? { keepSensitive: "true" } : {};
}
