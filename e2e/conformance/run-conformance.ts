// Runs every scenario, and writes docs/conformance.md. Its arguments name programs: the driver of the client scenarios, the
// fixture server of the server scenarios, and the gateway in front of it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { GROUPS, type ScenarioGroup, SETTINGS } from './scenarios'
import { type BothResults, lossOf, serverRowOf, shareOf, wordsOf } from './server-page'
import { SERVER_GROUPS } from './server-scenarios'
import { StartedServer } from './started-server'
import { fetchSuite, runScenario, runServerScenario, type ScenarioResult } from './suite'

const [, , driver = '', fixture = '', gateway = ''] = process.argv

const INTRODUCTION = `# Conformance

\`npm run conformance\` runs the scenarios of \`@modelcontextprotocol/conformance\`, and writes this page.

# Patchbay towards servers

The client scenarios are run against Patchbay's own core. Each scenario is a server that watches what it is sent. The driver (\`e2e/conformance/driver.ts\`) does what
a person does: it pastes the server's address, approves, signs in where that is asked for (with a browser that says yes
to everything), and uses each tool, resource and prompt once. Where a scenario takes a setting for granted, the driver sets it first
(\`auth/basic-cimd\`: the address of the client metadata document). The quick ones are run by \`npm run test:long\` too.

A scenario has passed when none of its checks failed and the suite says so; the suite also fails some for a warning.
Scenarios of extensions are not run: machines that sign in without a person, skills, DPoP.
`

async function runGroup(group: ScenarioGroup): Promise<string> {
  const { title, version, specVersion, quick, others } = group
  const suite = await fetchSuite(version)
  if (suite.kind === 'missing') throw new Error(suite.reason)
  const results: ScenarioResult[] = []
  for (const scenario of [...quick, ...others]) {
    const settings = SETTINGS[scenario]
    const of = { scenario, driver, settings, ...(specVersion !== undefined && { specVersion }) }
    const result = await runScenario(suite.folder, of)
    results.push(result)
    process.stdout.write(`${result.isPassed ? 'passed' : 'FAILED'} ${version} ${scenario}\n`)
    if (!result.isPassed) process.stdout.write(`${result.said.join('\n')}\n${result.output}\n`)
  }
  const passed = results.filter(({ isPassed }) => isPassed).length
  const rows = results.map(rowOf).join('\n')
  return `## ${title}

Suite ${version}: ${String(passed)} of ${String(results.length)} scenarios pass.

| Scenario | Result | Checks passed | Why not all |
|---|---|---|---|
${rows}
`
}

function rowOf({ scenario, isPassed, passed, failed, warnings, said }: ScenarioResult): string {
  const text = wordsOf(said)
  const count = `${String(passed)} of ${String(passed + failed + warnings)}`
  return `| ${scenario} | ${isPassed ? 'passed' : '**failed**'} | ${count} | ${isPassed ? '' : text} |`
}

const SERVER_INTRODUCTION = `# Patchbay towards agents

The server scenarios are run twice: directly against a server that offers what they want (\`e2e/conformance/fixture-server.ts\`,
over HTTP), and through the gateway, behind which the same server runs over stdio, for an agent that is shown plain names. The suite
knows of no keys: a door before the gateway adds the key to each request, and changes nothing else (\`gateway-front.ts\`). Whatever passes
directly has to pass through the gateway, and no scenario may have fewer checks passed there: the run fails where one has, but for those whose row says why.

The fixture leaves out what the gateway passes to no server, a model and the folders of the client, so that these scenarios
fail on both sides. That is a choice: with such tools the fixture passes each of them directly, and none through the gateway. The share of a version counts them as
failed. Extensions (tasks, skills) are not run, and are in no number.
`

async function runServerGroup(
  { title, version, specVersion, quick, others }: ScenarioGroup,
  { direct, front }: { readonly direct: string; readonly front: string },
): Promise<string> {
  const suite = await fetchSuite(version)
  if (suite.kind === 'missing') throw new Error(suite.reason)
  const results: BothResults[] = []
  for (const scenario of [...quick, ...others]) {
    const ask = async (url: string): Promise<ScenarioResult> =>
      runServerScenario(suite.folder, {
        ...{ scenario, url },
        ...(specVersion !== undefined && { specVersion }),
      })
    const both = { directly: await ask(direct), through: await ask(front) }
    results.push(both)
    const loss = lossOf(both)
    if (loss !== undefined) process.exitCode = 1
    process.stdout.write(`${loss === undefined ? 'as it is' : 'LOST  '} ${version} ${scenario}\n`)
    if (loss !== undefined) process.stdout.write(`${[loss, ...both.through.said].join('\n')}\n`)
  }
  const passed = results.filter(({ directly }) => directly.isPassed).length
  return `## ${title}

Suite ${version}, ${String(results.length)} scenarios. Directly ${String(passed)} pass. ${shareOf(results)}

| Scenario | Directly | Through the gateway | Why not all |
|---|---|---|---|
${results.map(serverRowOf).join('\n')}
`
}

const parts = [INTRODUCTION]
for (const group of GROUPS) parts.push(await runGroup(group))
parts.push(SERVER_INTRODUCTION)
{
  await using direct = await StartedServer.start(fixture, ['http'])
  await using front = await StartedServer.start(gateway, [fixture])
  for (const group of SERVER_GROUPS)
    parts.push(await runServerGroup(group, { direct: direct.url, front: front.url }))
}
writeFileSync(join('docs', 'conformance.md'), parts.join('\n'))
