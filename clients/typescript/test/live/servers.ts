// Servers of a test: a partner's own, which takes webhooks, and a proxy that loses things.

import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface Message {
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** What a request is answered with; undefined for a connection that ends. */
type Response =
  { readonly status: number; readonly headers: Record<string, string>; readonly body: Uint8Array } | undefined;

async function served(
  answer: (method: string, path: string, message: Message) => Promise<Response>,
): Promise<{ url: string; close: () => void }> {
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const message = { headers: request.headers, body: Uint8Array.from(Buffer.concat(chunks)) };
      void answer(request.method ?? "", request.url ?? "", message).then((given) => {
        if (given) response.writeHead(given.status, { ...given.headers, connection: "close" }).end(given.body);
        else request.socket.destroy();
      });
    });
  });
  await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens));
  const close = (): void => void (server.close(), server.closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** Takes every message. */
export async function receiver(): Promise<{ url: string; close: () => void; next: () => Promise<Message> }> {
  const came: Message[] = [];
  const waiting: ((message: Message) => void)[] = [];
  const server = await served(async (_method, _path, message) => {
    const takes = waiting.shift();
    if (takes) takes(message);
    else came.push(message);
    return { status: 204, headers: {}, body: new Uint8Array() };
  });
  const next = (): Promise<Message> => {
    const first = came.shift();
    return first ? Promise.resolve(first) : new Promise((takes) => waiting.push(takes));
  };
  return { ...server, next };
}

/**
 * Stands before a service. The fates of the requests to one path come first; every other request is passed on. `busy` is
 * answered by the proxy with 503, `lost` is passed on and its answer thrown away.
 */
export async function losingProxy(
  service: string,
  path: string,
  fates: ("busy" | "lost")[],
): Promise<{ url: string; close: () => void; seen: { key: unknown; at: number }[] }> {
  const seen: { key: unknown; at: number }[] = [];
  const server = await served(async (method, asked, { headers, body }) => {
    let fate: string | undefined;
    if (method !== "GET" && asked === path) {
      seen.push({ key: headers["idempotency-key"], at: performance.now() });
      fate = fates.shift();
    }
    if (fate === "busy") return { status: 503, headers: { "retry-after": "1" }, body: Buffer.from("busy") };
    const kept = Object.entries(headers).filter(([name]) => !["host", "connection", "content-length"].includes(name));
    const answered = await fetch(service + asked, {
      method,
      headers: kept.map(([name, value]): [string, string] => [name, String(value)]),
      body: body.length ? body : null,
    });
    const content = new Uint8Array(await answered.arrayBuffer());
    if (fate === "lost") return undefined;
    return { status: answered.status, headers: Object.fromEntries(answered.headers), body: content };
  });
  return { ...server, seen };
}
