// Loaded into a web server with --import: hashes passwords at the lowest cost that argon2 allows. The
// tests hash thousands, each of which would take 10 ms. The product contains none of this.
import { createRequire } from 'node:module'

const argon2 = createRequire(import.meta.url)('@node-rs/argon2')
const { hash } = argon2
/** @param {string} password */
argon2.hash = (password) => hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
