import { planSpeed } from './forms/plan'
import { runBench } from './measure/bench'

await runBench('forms', [planSpeed])
