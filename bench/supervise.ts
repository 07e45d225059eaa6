import { runBench } from './measure/bench'
import { allReady } from './supervise/all-ready'
import { backAfterCrash } from './supervise/back-after-crash'
import { idleCost } from './supervise/idle-cost'
import { statusToPage } from './supervise/status-to-page'

await runBench('supervise', [idleCost, statusToPage, allReady, backAfterCrash])
