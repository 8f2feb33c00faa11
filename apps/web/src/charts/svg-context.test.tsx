import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { SvgContext } from "./svg-context.tsx";

const markup = (draw: (context: SvgContext) => void): string => {
  const context = new SvgContext("p", (words) => 6 * words.length);
  draw(context);
  return renderToStaticMarkup(<svg>{context.elements()}</svg>).slice("<svg>".length, -"</svg>".length);
};

test("rectangles of one color that follow each other become one path", () => {
  const drawn = markup((context) => {
    context.fillStyle = "var(--p-disk)";
    context.fillRect(1, 2, 3, 4);
    context.fillRect(5, 2, 3.456, 4);
    context.fillStyle = "red";
    context.fillRect(0, 0, 1, 1);
  });
  expect(drawn).toBe(
    '<path d="M1 2h3v4h-3zM5 2h3.46v4h-3.46z" fill="var(--p-disk)"></path><path d="M0 0h1v1h-1z" fill="red"></path>',
  );
});

test("translucent rectangles over each other stay apart: each darkens what it covers", () => {
  const drawn = markup((context) => {
    context.globalAlpha = 0.5;
    context.fillRect(0, 0, 10, 4);
    context.fillRect(5, 0, 10, 4);
    context.fillRect(15, 0, 10, 4);
  });
  expect(drawn).toBe(
    '<path d="M0 0h10v4h-10z" fill="#000000" fill-opacity="0.5"></path>' +
      '<path d="M5 0h10v4h-10zM15 0h10v4h-10z" fill="#000000" fill-opacity="0.5"></path>',
  );
});

test("what is clipped stands in a group, and what comes after it does not", () => {
  const drawn = markup((context) => {
    context.save();
    context.beginPath();
    context.rect(0, 0, 5, 5);
    context.clip();
    context.fillStyle = "blue";
    context.fillRect(0, 0, 9, 9);
    context.restore();
    context.fillRect(1, 1, 1, 1);
  });
  expect(drawn).toBe(
    '<defs><clipPath id="p-1"><path d="M0 0h5v5h-5z"></path></clipPath></defs>' +
      '<g clip-path="url(#p-1)"><path d="M0 0h9v9h-9z" fill="blue"></path></g>' +
      '<path d="M1 1h1v1h-1z" fill="#000000"></path>',
  );
});

test("dots of one size are one path of a round pen", () => {
  const drawn = markup((context) => {
    context.fillStyle = "grey";
    for (const x of [3, 8]) {
      context.beginPath();
      context.arc(x, 4, 1.5, 0, 2 * Math.PI);
      context.fill();
    }
  });
  expect(drawn).toBe(
    '<path d="M3 4h0M8 4h0" fill="none" stroke="grey" stroke-width="3" stroke-linecap="round"></path>',
  );
});

test("words are escaped and keep their font and place", () => {
  const drawn = markup((context) => {
    context.font = "400 11px var(--font)";
    context.textAlign = "center";
    context.fillText("<b>", 1, 2);
  });
  expect(drawn).toBe(
    '<text x="1" y="2" text-anchor="middle" style="font:400 11px var(--font)" fill="#000000">&lt;b&gt;</text>',
  );
});

test("restore brings back colors, pen and dashes", () => {
  const drawn = markup((context) => {
    context.strokeStyle = "green";
    context.save();
    context.strokeStyle = "red";
    context.lineWidth = 3;
    context.setLineDash([2, 3]);
    context.restore();
    context.beginPath();
    context.moveTo(0, 0);
    context.lineTo(4, 0);
    context.stroke();
  });
  expect(drawn).toBe('<path d="M0 0L4 0" fill="none" stroke="green" stroke-width="1"></path>');
});

test("a gradient is defined once and named by what it fills", () => {
  const drawn = markup((context) => {
    const gradient = context.createLinearGradient(0, 0, 8, 0);
    gradient.addColorStop(0, "#11223300");
    gradient.addColorStop(1, "#112233");
    context.fillStyle = gradient;
    context.fillRect(0, 0, 4, 4);
    context.fillRect(4, 0, 4, 4);
  });
  expect(drawn.match(/<linearGradient/gu)).toHaveLength(1);
  expect(drawn).toContain('<path d="M0 0h4v4h-4zM4 0h4v4h-4z" fill="url(#p-1)"></path>');
});

test("what is moved stands in a moved group until the state is restored", () => {
  const drawn = markup((context) => {
    context.save();
    context.translate(60, 0);
    context.fillRect(0, 0, 1, 1);
    context.restore();
    context.fillRect(2, 0, 1, 1);
  });
  expect(drawn).toBe(
    '<g transform="translate(60 0)"><path d="M0 0h1v1h-1z" fill="#000000"></path></g>' +
      '<path d="M2 0h1v1h-1z" fill="#000000"></path>',
  );
});
