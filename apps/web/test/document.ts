/** Before every component test: nothing of the test before it is left in the document. */
import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

afterEach(cleanup);
