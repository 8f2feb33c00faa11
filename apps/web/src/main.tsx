import "./ui/fonts.css";
import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/shared.css";
import "./ui/print.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { QueryClientProvider } from "@tanstack/react-query";
import { keepPage } from "./alone.ts";
import { App } from "./app.tsx";
import { askAgainOnFocus, createAnswers } from "./data/answers.ts";
import { provideLocalServer } from "./data/local-server.ts";
import { applyTheme, rememberedTheme } from "./state/theme.ts";

applyTheme(rememberedTheme());
askAgainOnFocus();
// Without it the page works as long as it can be loaded from its origin.
void keepPage().catch(() => {});
provideLocalServer(async () => {
  const [{ createLocalServer }, { startReader, startCapture }, { browserStore }] = await Promise.all([
    import("./local/local-server.ts"),
    import("./local/workers.ts"),
    import("./local/kept-store.ts"),
  ]);
  return createLocalServer({ startReader, startCapture, store: browserStore() });
});
const answers = createAnswers();
const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={answers}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  );
}
