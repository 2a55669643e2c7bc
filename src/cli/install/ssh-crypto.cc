// Since Node 24.19, node::ObjectWrap ends the process when the garbage collector frees a cipher outside of any
// context (nodejs/node#65446, mscdex/ssh2#1511). Nan::ObjectWrap does the same work without that check.
#include <nan.h>
#define ObjectWrap Nan::ObjectWrap
#include "binding.cc"
