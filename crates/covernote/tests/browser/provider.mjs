// Runs a third-party certified identity provider with its own sign-in pages, and prints its address.
// Argument: the redirect URI of its only client.
import { createServer } from "node:http";
import { Provider } from "oidc-provider";

const [redirect] = process.argv.slice(2);
const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://localhost:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [
      { client_id: "covernote", client_secret: "a secret & more", redirect_uris: [redirect] },
    ],
    cookies: { keys: ["a key of a test"] },
    pkce: { required: () => true },
  });
  server.on("request", provider.callback());
  console.log(issuer);
});
