// Runs every scenario, and writes docs/conformance.md. The arguments are programs: the driver of the client scenarios, the fixture server
// of the server scenarios, and the gateway in front of it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { GROUPS, type ScenarioGroup, SETTINGS } from './scenarios'
import { type BothResults, lossOf, serverRowOf, shareOf, wordsOf } from './server-page'
import { SERVER_GROUPS } from './server-scenarios'
import { StartedServer } from './started-server'
import { fetchSuite, runScenario, runServerScenario, type ScenarioResult } from './suite'

const [, , driver = '', fixture = '', gateway = ''] = process.argv

const INTRODUCTION = `# Conformance

\`npm run conformance\` runs the scenarios of \`@modelcontextprotocol/conformance\` and writes this page. The tables list only scenarios
that don't pass every check.

# Patchbay toward servers

Each client scenario is a server that checks what it receives. A driver (\`e2e/conformance/driver.ts\`) does in Patchbay's core what a user
does: it adds the address, approves, signs in and uses each tool, resource and prompt once. A scenario passes when none of its checks
failed. Scenarios of extensions are not run: sign-in without a user, skills, DPoP.
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
  const failing = results.filter(({ isPassed }) => !isPassed)
  const table = `| Scenario | Checks passed | Why not all |\n|---|---|---|\n${failing.map(rowOf).join('\n')}\n`
  return `## ${title}

Suite ${version}: ${String(passed)} of ${String(results.length)} scenarios pass.

${failing.length === 0 ? '' : table}`
}

function rowOf({ scenario, passed, failed, warnings, said }: ScenarioResult): string {
  return `| ${scenario} | ${String(passed)} of ${String(passed + failed + warnings)} | ${wordsOf(said)} |`
}

const SERVER_INTRODUCTION = `# Patchbay toward agents

Each server scenario runs twice: directly against \`e2e/conformance/fixture-server.ts\` over HTTP, and through the gateway with the same server
behind it over stdio. \`gateway-front.ts\` adds the agent's key to each request and changes nothing else. The run fails when a check passes
directly but not through the gateway, unless the row gives the reason.

The gateway offers no sampling, and roots of an agent only to a process that it shares with no other. The fixture leaves both out and those
scenarios fail on both sides. Extensions
(tasks, skills) are not run and not counted.
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
${results.flatMap((one) => serverRowOf(one) ?? []).join('\n')}
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
