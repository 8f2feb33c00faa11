/**
 * zod as both sides use it: without compiled validators. zod would make them with `new Function`, which the web app's content
 * policy forbids (and reports in the console). The setting must come before the first schema, in whatever order a bundler places
 * modules: whoever makes schemas for the browser imports zod from here.
 */
import { config, z } from "zod";

config({ jitless: true });

export { z };
