"""The loop over the threads of a warp that exchange values without the others; see `library/warp_parts.c`."""

__all__ = ["loop_over_lanes"]


def loop_over_lanes(k: int, given: str) -> str:
    """The loop over the lanes of a warp that are in `%set`, from a piece; each stands then where it comes to."""
    return f"""  br label %l{k}
l{k}:
  %lane{k} = phi i64 [ %from, %k{k} ], [ %next{k}, %m{k} ]
  %step{k} = sub i64 %lane{k}, %from
  %number{k} = trunc i64 %step{k} to i32
  %bits{k} = lshr i32 %set, %number{k}
  %here{k} = trunc i32 %bits{k} to i1
  br i1 %here{k}, label %c{k}, label %m{k}
c{k}:
  %went{k} = call i32 @lane{k}(ptr %ctx, i64 %lane{k}, {given})
  %stand{k} = getelementptr i32, ptr %where, i64 %step{k}
  store i32 %went{k}, ptr %stand{k}
  %wrong{k} = icmp eq i32 %went{k}, -2
  br i1 %wrong{k}, label %bad, label %m{k}
m{k}:
  %next{k} = add nuw i64 %lane{k}, 1
  %more{k} = icmp ult i64 %next{k}, %to
  br i1 %more{k}, label %l{k}, label %o{k}
o{k}:
  ret i32 0"""
