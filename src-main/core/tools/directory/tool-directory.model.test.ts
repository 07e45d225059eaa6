import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { listedTool } from '../../../../e2e/fixtures/directory-servers'
import type { ToolChoice } from '../../../../src-shared/domain/tool-choice'
import { nameTools } from '../names/tool-names'
import {
  type ListedServer,
  type ListedTool,
  type ResolvedTool,
  ToolDirectory,
} from './tool-directory'

/** The installations with their lists; the directory gets them at each step. */
type Model = { servers: readonly ListedServer[] }

/** The directory, and what readers last saw of it. */
class World {
  readonly directory = new ToolDirectory()
  /** The first name of each tool, by server and tool, while the server exists. */
  readonly names = new Map<string, string | undefined>()
  seen = content(this.directory)
  generation = 0
}

const EXPOSURES = {
  approved: 'exposed',
  new: 'needsReview',
  changed: 'needsReview',
  refused: 'rejected',
} as const
const ALIASES = ['a', 'a-b', 'a_b', 'A-2'] as const

const tool = fc.record({
  name: fc.constantFrom('x', '_x', '__', 'x.y', 'x_y_b24ca9b7', 'X', 'bad name', 'z'.repeat(70)),
  pinState: fc.constantFrom('approved', 'approved', 'approved', 'new', 'changed', 'refused'),
  // A hash identifies a definition.
  version: fc.constantFrom(
    { hash: '1', inputSchema: { type: 'object' } },
    { hash: '2', inputSchema: {} },
    { hash: '3', inputSchema: { type: 'string' } },
    { hash: '4', inputSchema: [1] },
  ),
})
const tools = fc
  .array(tool, { maxLength: 6 })
  .map((list) =>
    list.map(({ name, pinState, version: { hash, inputSchema } }) =>
      listedTool(name, { pinState, hash, tool: { name, inputSchema } }),
    ),
  )
const choice: fc.Arbitrary<ToolChoice> = fc.oneof(
  fc.constantFrom<ToolChoice>({ kind: 'all' }, { kind: 'none' }),
  fc
    .array(fc.constantFrom('x', 'X', 'x.y', 'gone'), { maxLength: 3 })
    .map((names) => ({ kind: 'list', names }) as const),
)
const place = fc.nat({ max: ALIASES.length - 1 })

type Change = (model: Model) => Partial<Model>

/** A step: changes the input of the directory, sends it, and checks the result. */
class Step implements fc.Command<Model, World> {
  constructor(
    private readonly words: string,
    private readonly change: Change,
  ) {}

  check(): boolean {
    return true
  }

  run(model: Model, world: World): void {
    Object.assign(model, this.change(model))
    look(model, world)
  }

  toString(): string {
    return this.words
  }
}

/** Changes the server at an index, if there is one. */
function change(at: number, changed: Partial<ListedServer>): Change {
  return ({ servers }) => ({
    servers: servers.map((one, index) => (index === at ? { ...one, ...changed } : one)),
  })
}

const COMMANDS: fc.Arbitrary<fc.Command<Model, World>>[] = [
  fc
    .tuple(fc.constantFrom(...ALIASES), tools)
    .map(
      ([alias, list]) =>
        new Step(`add ${alias}`, ({ servers }) =>
          servers.some((one) => one.alias === alias)
            ? {}
            : { servers: [...servers, { ...NEW, installationId: alias, alias, tools: list }] },
        ),
    ),
  place.map(
    (at) => new Step(`remove ${at}`, ({ servers }) => ({ servers: servers.toSpliced(at, 1) })),
  ),
  fc
    .tuple(place, fc.constantFrom('One', 'Two'))
    .map(([at, name]) => new Step(`rename ${at} ${name}`, change(at, { alsoListed: { name } }))),
  fc
    .tuple(place, fc.boolean())
    .map(([at, isEnabled]) => new Step(`enable ${at} ${isEnabled}`, change(at, { isEnabled }))),
  fc
    .tuple(place, choice)
    .map(([at, to]) => new Step(`choose ${at} ${JSON.stringify(to)}`, change(at, { choice: to }))),
  fc
    .tuple(place, tools)
    .map(([at, to]) => new Step(`relist ${at} ${JSON.stringify(to)}`, change(at, { tools: to }))),
  fc
    .tuple(place, fc.constantFrom('approved', 'refused'))
    .map(([at, pinState]) => new Step(`review ${at} ${pinState}`, review(at, pinState))),
  // An equal listing, and a settings write that changes nothing here.
  place.map(
    (at) =>
      new Step(`same ${at}`, ({ servers }) => ({
        servers: servers.map((one, index) => (index === at ? structuredClone(one) : one)),
      })),
  ),
]

const NEW = { isEnabled: true, choice: { kind: 'all' }, alsoListed: { name: 'New' } } as const

function review(at: number, pinState: 'approved' | 'refused'): Change {
  return (model) => {
    const reviewed = model.servers[at]?.tools.map((one): ListedTool => ({ ...one, pinState })) ?? []
    return change(at, { tools: reviewed })(model)
  }
}

function look({ servers }: Model, world: World): void {
  const { directory } = world
  const isOther = directory.set(servers)
  const { snapshot } = directory
  const exposed = snapshot.tools.filter(({ exposure }) => exposure === 'exposed')

  const names = exposed.map(({ exposedName }) => exposedName)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
  expect([...snapshot.servers.values()].flatMap((one) => one.tools)).toEqual(snapshot.tools)
  expect(snapshot.tools.map(({ exposure }) => exposure)).toEqual(expectedExposures(servers))
  lookAtNames(snapshot.tools, world)

  const now = content(directory)
  expect(isOther).toBe(now !== world.seen)
  expect(snapshot.generation).toBe(world.generation + (isOther ? 1 : 0))
  // A new directory returns the same.
  const fresh = new ToolDirectory()
  fresh.set(structuredClone(servers))
  expect(content(fresh)).toBe(now)
  world.seen = now
  world.generation = snapshot.generation
}

/** Checks that a tool keeps its name while its server exists, unless another tool made it ambiguous. */
function lookAtNames(resolved: readonly ResolvedTool[], world: World): void {
  for (const { installationId, tool: named, exposedName } of resolved) {
    if (exposedName === undefined) continue
    const key = `${installationId} ${named.name}`
    expect(world.names.get(key) ?? exposedName).toBe(exposedName)
    world.names.set(key, exposedName)
  }
}

/** Implements the rules again in the simplest way. */
function expectedExposures(servers: readonly ListedServer[]): string[] {
  return servers.flatMap(({ alias, isEnabled, choice: chosen, tools: list }) => {
    const namings = nameTools(
      alias,
      list.map((one) => one.tool.name),
    )
    return list.map(({ tool: { name }, pinState, hash }, index) => {
      if (namings[index]?.exposedName === undefined || ['3', '4'].includes(hash))
        return 'quarantined'
      if (!isEnabled || chosen.kind === 'none') return 'off'
      if (chosen.kind === 'list' && !chosen.names.includes(name)) return 'off'
      return EXPOSURES[pinState]
    })
  })
}

/** Serializes everything in a directory except its generation. */
function content({ snapshot }: ToolDirectory): string {
  const { tools: resolved, servers } = snapshot
  return JSON.stringify([resolved, [...servers.values()]])
}

describe('C4 and C5: any history of a directory', () => {
  it('shows each tool under one valid name that stays, and counts exactly the changes', () => {
    fc.assert(
      fc.property(fc.commands(COMMANDS, { maxCommands: 40, size: '+1' }), (commands) => {
        fc.modelRun(() => ({ model: { servers: [] }, real: new World() }), commands)
      }),
      { numRuns: 300 },
    )
  })

  it('assigns the same names in any order of listings', () => {
    const server = fc.tuple(tools, choice)
    const servers = fc.array(server, { minLength: 2, maxLength: ALIASES.length }).map((list) =>
      list.map(([own, chosen], index): ListedServer => {
        const alias = ALIASES[index] ?? ''
        return { ...NEW, installationId: alias, alias, tools: own, choice: chosen }
      }),
    )
    const order = servers.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    )
    fc.assert(
      fc.property(order, ([list, ready]) => {
        const directory = new ToolDirectory()
        const listed = new Set<ListedServer>()
        for (const next of ready) {
          listed.add(next)
          directory.set(list.map((one) => (listed.has(one) ? one : { ...one, tools: [] })))
        }
        const atOnce = new ToolDirectory()
        atOnce.set(list)
        expect(content(directory)).toBe(content(atOnce))
      }),
    )
  })
})
