/**
 * zod as both sides use it: without compiled validators. zod would create them with `new Function`, which the web app's
 * content policy forbids (and reports in the console). The setting must be applied before the first schema, in any
 * order in which a bundler places modules: code with schemas for the browser imports zod from here.
 */
import { config, z } from "zod";

config({ jitless: true });

export { z };
