import * as z from 'zod'

// The content security policy forbids the code from strings that zod would try as soon as a schema is made.
z.config({ jitless: true })
