import { type LazyScreen, lazyScreen } from "../frame/lazy-screen.tsx";
import type { CapturesScreenProps } from "../screens/captures/captures-screen.tsx";

/** The first screen, and a capture whose files come. */
export const UploadsScreen: LazyScreen<CapturesScreenProps> = lazyScreen(
  async () => (await import("../screens/captures/captures-screen.tsx")).CapturesScreen,
);
