import { runBench } from './measure/bench'
import { largeResults } from './stdio/large-results'
import { readiness } from './stdio/readiness'
import { smallCalls } from './stdio/small-calls'
import { stderrFlood } from './stdio/stderr-flood'

await runBench('stdio', [largeResults, smallCalls, readiness, stderrFlood])
