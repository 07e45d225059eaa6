import { bridgeStart } from './gateway/bridge-start'
import { idleAgents } from './gateway/idle-agents'
import { largeCalls } from './gateway/large-calls'
import { listing } from './gateway/listing'
import { loadedMemory } from './gateway/loaded-memory'
import { smallCalls } from './gateway/small-calls'
import { runBench } from './measure/bench'

await runBench('gateway', [smallCalls, largeCalls, listing, bridgeStart, idleAgents, loadedMemory])
