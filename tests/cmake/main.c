/* The smallest host that uses header and library. */
#include <stdio.h>
#include <wobble.h>

int main(void) {
    WobbleWorld world;
    if (wobble_abi_version() != WOBBLE_ABI_VERSION || wobble_world_create(NULL, &world) != WOBBLE_STATUS_OK ||
        wobble_world_step(world, 1.0f / 60.0f) != WOBBLE_STATUS_OK || wobble_world_destroy(world) != WOBBLE_STATUS_OK) {
        fprintf(stderr, "%s\n", wobble_last_error());
        return 1;
    }
    printf("wobble %s\n", wobble_version());
    return 0;
}
