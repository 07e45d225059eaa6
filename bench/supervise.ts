import { runBench } from './measure/bench'
import { backAfterCrash } from './supervise/back-after-crash'
import { idleCost } from './supervise/idle-cost'

await runBench('supervise', [idleCost, backAfterCrash])
