/* A library from before everything but its version. */
#include <stdint.h>

uint32_t wobble_abi_version(void) {
    return 0;
}
