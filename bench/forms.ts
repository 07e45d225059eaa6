import { openingSpeed } from './forms/opening'
import { planSpeed } from './forms/plan'
import { typingSpeed } from './forms/typing'
import { runBench } from './measure/bench'

await runBench('forms', [planSpeed, openingSpeed, typingSpeed])
