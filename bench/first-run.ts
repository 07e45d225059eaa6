import { setupGuide } from './first-run/setup-guide'
import { runBench } from './measure/bench'

await runBench('first-run', [setupGuide])
