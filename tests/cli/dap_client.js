// Goes through the execution of a ticket with the client that VS Code tests its debug adapters with.
//
// usage: node dap_client.js RAVEL TICKET       prints why it has stopped at the end, as JSON
const { DebugClient } = require('@vscode/debugadapter-testsupport');

async function stopped(client, request) {
  const [event] = await Promise.all([client.waitForEvent('stopped'), request]);
  return event.body;
}

async function main() {
  const [ravel, ticket] = process.argv.slice(2);
  const client = new DebugClient(ravel, 'dap', 'ravel', { shell: false });
  client.defaultTimeout = 60000;
  await client.start();
  const [, , entry] = await Promise.all([
    client.waitForEvent('initialized').then(() => client.configurationDoneRequest()),
    client.launch({ ticket }),
    client.waitForEvent('stopped'),
  ]);
  const begin = await client.stackTraceRequest({ threadId: entry.body.threadId });
  if (begin.body.stackFrames.length === 0) throw new Error('there is no stack at the entry');
  const end = await stopped(client, client.continueRequest({ threadId: 1 }));
  const back = await stopped(client, client.stepBackRequest({ threadId: end.threadId }));
  if (back.reason !== 'step') throw new Error('stepBack stops for ' + back.reason);
  const { scopes } = (
    await client.scopesRequest({
      frameId: (await client.stackTraceRequest({ threadId: back.threadId })).body.stackFrames[0].id,
    })
  ).body;
  for (const scope of scopes) await client.variablesRequest({ variablesReference: scope.variablesReference });
  await client.disconnectRequest({});
  console.log(JSON.stringify(end));
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
