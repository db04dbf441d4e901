"""The function that counts the sectors which a request of global memory takes; see `sanitize.counting`."""

__all__ = ["REQUEST_FUNCTIONS"]

# The sectors of a request, each once. What is known of it: when it is, the last of them, how many, and all in turn.
REQUEST_FUNCTIONS = """
define internal void @sectors(ptr %site, ptr %request, i64 %when, i64 %from, i64 %to) noinline {
  %last.at = getelementptr i64, ptr %request, i64 1
  %many.at = getelementptr i64, ptr %request, i64 2
  %all = getelementptr i64, ptr %request, i64 3
  %total.at = getelementptr i64, ptr %site, i64 1
  %before = load i64, ptr %request
  %known = icmp eq i64 %before, %when
  br i1 %known, label %next, label %fresh
fresh:
  store i64 %when, ptr %request
  store i64 -1, ptr %last.at
  store i64 0, ptr %many.at
  br label %next
next:
  %one = phi i64 [ %from, %0 ], [ %from, %fresh ], [ %one.next, %on ]
  %last = load i64, ptr %last.at
  %many = load i64, ptr %many.at
  %beyond = icmp sgt i64 %one, %last
  br i1 %beyond, label %new, label %look
look:
  %behind = phi i64 [ %many, %next ], [ %i, %compare ]
  %i = add i64 %behind, -1
  %none = icmp slt i64 %i, 0
  br i1 %none, label %new, label %compare
compare:
  %at = getelementptr i64, ptr %all, i64 %i
  %other = load i64, ptr %at
  %same = icmp eq i64 %other, %one
  br i1 %same, label %on, label %look
new:
  %free = getelementptr i64, ptr %all, i64 %many
  store i64 %one, ptr %free
  %more = add i64 %many, 1
  store i64 %more, ptr %many.at
  %most = select i1 %beyond, i64 %one, i64 %last
  store i64 %most, ptr %last.at
  %total = load i64, ptr %total.at
  %total.next = add i64 %total, 1
  store i64 %total.next, ptr %total.at
  br label %on
on:
  %one.next = add i64 %one, 1
  %left = icmp sle i64 %one.next, %to
  br i1 %left, label %next, label %done
done:
  ret void
}
define internal void @request(ptr %site, ptr %request, i64 %when, i64 %from, i64 %to) alwaysinline {
  %last.at = getelementptr i64, ptr %request, i64 1
  %before = load i64, ptr %request
  %last = load i64, ptr %last.at
  %known = icmp eq i64 %before, %when
  %begins = icmp eq i64 %from, %last
  %ends = icmp eq i64 %to, %last
  %both = and i1 %begins, %ends
  %nothing = and i1 %known, %both
  br i1 %nothing, label %done, label %new
new:
  call void @sectors(ptr %site, ptr %request, i64 %when, i64 %from, i64 %to)
  br label %done
done:
  ret void
}
"""
