import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { buildProgram } from '../../../e2e/fixtures/build-program'
import { toJson, toTable } from '../../measure/report'
import { markedProcesses } from '../census'
import { assessGateway, type SoakResult } from './assess-gateway'
import { CoreProcess } from './core-process'
import { FAULTS } from './core-protocol'
import { GatewayRun } from './gateway-run'

const SERVERS = 20
const AGENTS = 20
const REQUEST_MS = 15_000
/** Shown faults per kind. */
const MAX_SHOWN = 5

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    json: { type: 'boolean', default: false },
    plant: { type: 'string', multiple: true, default: [] },
  },
})
await soak(Number(values.seconds) * 1_000)
// A caller with a lost answer would wait forever.
process.exit()

async function soak(ms: number): Promise<void> {
  await using owned = new AsyncDisposableStack()
  const build = async (entry: string): Promise<string> => {
    const program = await buildProgram(entry)
    owned.defer(() => program.remove())
    return program.file
  }
  const mark = randomUUID()
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-soak-'))
  owned.defer(() => rmSync(folder, { recursive: true, force: true }))
  owned.defer(() => {
    for (const pid of markedProcesses(mark)) process.kill(pid, 'SIGKILL')
  })
  const auditThread = await build('src-main/core/gateway/audit/audit-thread.ts')
  const core = owned.use(new CoreProcess(await build('bench/soak/gateway/core.ts')))
  const run = new GatewayRun(core, {
    ...{ servers: SERVERS, agents: AGENTS, callMs: REQUEST_MS, mark, folder },
    ...{ auditThread },
    plant: FAULTS.filter((fault) => values.plant.includes(fault)),
  })
  report(ms, await Promise.race([run.run(ms), core.died]))
}

function report(ms: number, result: SoakResult): void {
  const rows = assessGateway(result, ms)
  const measurements = rows.map((row) => ({ row, rounds: {}, roundUnit: row.unit }))
  const name = `soak: ${SERVERS} servers and ${AGENTS} agents, ${ms / 1_000} s`
  process.stdout.write(
    `${values.json ? toJson('soak', measurements) : `${toTable(name, measurements)}${detailsOf(result)}`}\n`,
  )
  process.exitCode = rows.every(({ ok }) => ok) ? 0 : 1
}

/** Details that help to understand a row. */
function detailsOf(result: SoakResult): string {
  const { ledger, agents, wrongChildren, handlesLeft, memory, closed } = result
  const kinds: Readonly<Record<string, readonly string[]>> = {
    ...ledger.wrong,
    connections: agents.flatMap(({ refusals }) => refusals),
    children: wrongChildren,
    handles: handlesLeft,
    rejections: closed.rejections,
  }
  const found = Object.entries(kinds).flatMap(([kind, all]) =>
    all.slice(0, MAX_SHOWN).map((words) => `${kind}: ${words}`),
  )
  const weights = memory.map(({ rssMb, heapMb }) => `${rssMb.toFixed(0)}/${heapMb.toFixed(0)}`)
  return [`Memory of the core (RSS/heap, MB): ${weights.join(' ')}`, ...found].join('\n')
}
