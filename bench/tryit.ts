import { runBench } from './measure/bench'
import { trySpeed } from './tryit/page'

await runBench('tryit', [trySpeed])
