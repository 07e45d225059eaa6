import * as z from 'zod'

/** Programs that Patchbay starts packages with. */
export const RunnerName = z.enum(['npx', 'uvx', 'docker', 'dnx'])
export type RunnerName = z.infer<typeof RunnerName>
