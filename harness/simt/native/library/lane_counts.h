// What is counted of the block that runs in lockstep.
#pragma once

#include "context.h"

void begin_block(struct Context *context);
// A barrier was passed.
void end_step(struct Context *context);
void end_block(struct Context *context);
