// How items of work are shared out to the workgroups of a dispatch: each takes a run of neighbours, and with one
// workgroup an item each takes its own. At least one item and no more workgroups than items.
uint shareStart(uint itemCount) { return itemCount * gl_WorkGroupID.x / gl_NumWorkGroups.x; }
uint shareEnd(uint itemCount) { return itemCount * (gl_WorkGroupID.x + 1) / gl_NumWorkGroups.x; }
